/** A request that is answered with a status and a text instead of a stream. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly headers?: Record<string, string>;

  constructor(
    readonly status: number,
    message: string,
    { headers, cause }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(message, { cause });
    this.headers = headers;
  }
}

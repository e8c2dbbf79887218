const FRAMES = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];

/** One character that turns from frame to frame. */
export const spinner = (frame: number) => FRAMES[frame % FRAMES.length]!;

/** The colours of a rendered diagram, by the light or dark of the page. */
export const svgStyle = `<style>
svg { --ink: #1f2328; --soft: #59636e; --line: #c4ccd4; --page: #ffffff;
  --agent: #57606a; --turn: #7c4dcc; --message: #0b66c3; --tool: #b45309; --user: #0f7b45; --hook: #a2246b; --end: #3d444d; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --page: #0d1117;
  --agent: #8b949e; --turn: #b794f6; --message: #6cb6ff; --tool: #f0a04b; --user: #57d08a; --hook: #f07fbd; --end: #c4ccd4; } }
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--ink); }
.title { font: 600 17px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.label { font-size: 15px; } .small { font-size: 14px; fill: var(--soft); }
.pause { font-size: 14px; fill: var(--soft); text-anchor: middle; }
.letter { font-size: 15px; font-weight: 700; text-anchor: middle; fill: var(--page); }
.time { stroke: var(--line); stroke-width: 2; }
.group { fill: var(--page); stroke: var(--soft); stroke-width: 1.5; }
.agent { fill: var(--agent); } .turn { fill: var(--turn); } .message { fill: var(--message); }
.tool { fill: var(--tool); } .user { fill: var(--user); } .hook { fill: var(--hook); }
.end, .value { fill: var(--end); }
.sub { fill: var(--line); } .edge { stroke: var(--soft); stroke-width: 2; fill: none; }
.barrier { fill: var(--tool); fill-opacity: .16; stroke: var(--tool); stroke-opacity: .6; stroke-dasharray: 4 3; }
</style>`;

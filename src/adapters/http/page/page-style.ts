/** The tokens of the gallery. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--back:#fff;--text:#1b1c1e;--dim:#5c5f66;--line:#e3e4e8;--accent:#1a5fd0}
@media (prefers-color-scheme:dark){:root{--back:#111214;--text:#ececee;--dim:#a0a3aa;--line:#2b2d31;--accent:#7fb0ff}}
*{box-sizing:border-box}
body{margin:0;padding:16px;background:var(--back);color:var(--text);font:.875rem/1.45 system-ui,sans-serif}
header,footer{max-width:1800px;margin:0 auto 16px}
h1{margin:0;font-size:1.25rem;font-weight:600;overflow-wrap:anywhere}
p{margin:0;color:var(--dim);font-size:.8125rem;font-variant-numeric:tabular-nums}
.catalog{max-width:1800px;margin:0 auto 12px;overflow-wrap:anywhere}
footer{margin:24px auto 0;border-top:1px solid var(--line);padding-top:12px}
ul{display:flex;flex-wrap:wrap;gap:4px;max-width:1800px;margin:0 auto;padding:0;list-style:none}
ul::after{content:"";flex:1000000 0 0}
li{position:relative;flex:var(--ratio) 1 calc(var(--ratio)*var(--height));min-width:0;max-width:100%}
img{display:block;width:100%;height:auto;aspect-ratio:auto var(--ratio);border-radius:2px;background:var(--colour)}
a{color:var(--accent)}
footer a{display:inline-block;padding:12px 0}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.save{position:absolute;right:4px;bottom:4px;display:grid;place-items:center;width:44px;height:44px;color:#fff}
.save svg{width:32px;height:32px;padding:6px;border-radius:6px;background:#000a;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.message{display:grid;align-content:center;justify-items:center;gap:8px;min-height:80vh;text-align:center;text-wrap:balance}
.message svg{width:40px;height:40px;fill:none;stroke:var(--dim);stroke-width:1.25;stroke-linecap:round;stroke-linejoin:round}
.message p{max-width:48ch;font-size:inherit}
@media (hover:hover){.save{opacity:0;transition:opacity 120ms}li:hover .save,.save:focus-visible{opacity:1}}
@media (prefers-reduced-motion:reduce){.save{transition:none}}
@media (min-width:600px){ul{gap:8px}}
@media (min-width:1024px){body{padding:24px}}
`;

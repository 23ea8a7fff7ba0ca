// For screen readers and keyboards: names for the copy buttons that the theme adds to blocks of code, and a
// place in the order of focus for wide tables, which scroll.
new MutationObserver(() => {
  const blocks = [...document.querySelectorAll("nav.md-code__nav")];
  for (const nav of blocks.filter((each) => !each.hasAttribute("aria-label"))) {
    nav.setAttribute("aria-label", `Block of code ${blocks.indexOf(nav) + 1}`);
  }
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    table.tabIndex = 0;
  }
}).observe(document.documentElement, { childList: true, subtree: true });

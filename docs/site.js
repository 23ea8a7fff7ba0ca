// Accessibility: names for the theme's navigation elements in code blocks, for screen readers, and keyboard focus for
// wide tables, so that they can be scrolled.
new MutationObserver(() => {
  const blocks = [...document.querySelectorAll("nav.md-code__nav")];
  for (const nav of blocks.filter((each) => !each.hasAttribute("aria-label"))) {
    nav.setAttribute("aria-label", `Block of code ${blocks.indexOf(nav) + 1}`);
  }
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    table.tabIndex = 0;
  }
}).observe(document.documentElement, { childList: true, subtree: true });

"use strict";
// The script of a booklet: shows one problem at a time, the one that the address names after "#". The board and the tree
// of `page.js` move into its article. Without this script, and in print, the page shows all problems with their
// solutions as text.
const problems = [...document.querySelectorAll("article")];
const viewer = byId("viewer");

// Shows the problem with this index, and marks it in the list.
function openProblem(index) {
  const problem = problems[index];
  problems.forEach((one) => one.classList.toggle("current", one === problem));
  for (const link of document.querySelectorAll("#contents a")) {
    if (link.hash === `#${problem.id}`) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest" });
    } else {
      link.removeAttribute("aria-current");
    }
  }
  const data = problem.querySelector("script");
  viewer.hidden = !data;
  problem.classList.toggle("open", Boolean(data));
  if (!data) return;
  const content = JSON.parse(data.textContent);
  problem.insertBefore(viewer, problem.querySelector(".after"));
  byId("below").replaceChildren(part(content.stipulation), part(content.counts));
  openReport(content);
}

// Returns the index of the problem that the address names; 0 if it names none.
function named() {
  return Math.max(problems.findIndex((problem) => `#${problem.id}` === location.hash), 0);
}

const current = () => problems.findIndex((problem) => problem.classList.contains("current"));
const go = (index) => problems[index] && (location.hash = problems[index].id);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "n") go(current() + 1);
  if (event.key === "p") go(current() - 1);
});
window.addEventListener("hashchange", () => {
  openProblem(named());
  window.scrollTo(0, 0);
});
document.body.classList.add("one");
if (problems.length > 0) openProblem(named());

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
  openPhase(problem, problem.querySelector("section"));
}

// Shows a phase of a problem: the board and the tree move into its section. A click on the verdict of another phase
// shows that one.
function openPhase(problem, section) {
  const data = section.querySelector("script");
  viewer.hidden = !data;
  problem.classList.toggle("open", Boolean(problem.querySelector("section script")));
  if (!data) return;
  const content = JSON.parse(data.textContent);
  section.insertBefore(viewer, section.querySelector(".after"));
  byId("below").replaceChildren(part(content.stipulation), part(content.counts));
  openReport(content);
}

for (const verdict of document.querySelectorAll("section + section .verdict, section:has(+ section) .verdict")) {
  const show = () => openPhase(verdict.closest("article"), verdict.closest("section"));
  verdict.tabIndex = 0;
  verdict.setAttribute("role", "button");
  verdict.addEventListener("click", show);
  verdict.addEventListener("keydown", (event) => event.key === "Enter" && show());
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

/*
 * answers.js: on paper, the answers to a deck's questions are on pages of their own after its last slide, so that nobody
 * reads them beside the question.
 */
const LINES = 52; // of a page: two columns
const LETTERS = 58; // of a line

/* The answers as { title, html, lines }, taken from the slides. */
function takeAnswers() {
    return [...document.querySelectorAll(".slides > section")].flatMap((slide) =>
        [...slide.querySelectorAll("details")].map((details) => {
            const answer = details.querySelector(".answer");
            details.remove();
            const title = slide.querySelector("h2").textContent;
            return { title, html: answer.innerHTML, lines: 2 + Math.ceil(answer.textContent.length / LETTERS) };
        }),
    );
}

export function printAnswersLast() {
    let page = null, lines = LINES;
    for (const answer of takeAnswers()) {
        if (lines + answer.lines > LINES) {
            page = document.createElement("section");
            page.className = "slide level2 answers";
            page.innerHTML = "<h2>Answers</h2><div></div>";
            document.querySelector(".slides").append(page);
            lines = 0;
        }
        lines += answer.lines;
        page.lastChild.insertAdjacentHTML("beforeend", `<p><em>${answer.title}</em><br>${answer.html}</p>`);
    }
}

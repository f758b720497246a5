// The board's console: its last lines, and a line to type into.

import { command } from "./commands.js";
import { button, element, setAttribute, setEnabled } from "./dom.js";

const limit = 5000;

/** Makes the panel in `place`. */
export function consolePanel(place) {
  const lines = element("div", {
    class: "lines",
    role: "log",
    "aria-label": "Console output",
    tabindex: "0",
  });
  const input = element("input", {
    type: "text",
    "aria-label": "A line for the board's console",
    placeholder: "Type a line for the board",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: "1024",
  });
  const send = element("button", { type: "submit" }, "Send");
  const history = [];
  let board = 0;
  let recalled = 0;
  const form = element(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        if (send.getAttribute("aria-disabled")) return;
        const text = input.value;
        if (await command("board.type", { board, text })) {
          if (text && history.at(-1) !== text) history.push(text);
          recalled = history.length;
          if (input.value === text) input.value = "";
        }
      },
    },
    input,
    send,
  );
  input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const next = recalled + (event.key === "ArrowUp" ? -1 : 1);
    if (next < 0 || next > history.length) return;
    event.preventDefault();
    recalled = next;
    input.value = history[next] ?? "";
  });
  const follow = button("Newest", () => stick(), { class: "newest", hidden: true });
  const clear = button("Clear", () => lines.replaceChildren());
  place.append(
    element("div", { class: "bar" }, element("h2", { id: "console-title" }, "Console"), clear),
    element("div", { class: "scroller" }, lines, follow),
    form,
  );

  let isFollowing = true;
  lines.addEventListener("scroll", () => {
    isFollowing = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 30;
    follow.hidden = isFollowing;
  });
  const stick = () => {
    lines.scrollTop = lines.scrollHeight;
  };

  const append = (...nodes) => {
    lines.append(...nodes);
    while (lines.childElementCount > limit) lines.firstElementChild.remove();
    if (isFollowing) stick();
  };

  return {
    /** Adds lines; those that are lost are told. */
    add({ missed, lines: added }) {
      const nodes = missed > 0 ? [noteLine(`${missed} line${missed === 1 ? "" : "s"} missed`)] : [];
      append(...nodes, ...added.map((line) => makeLine(line, board)));
    },
    /** What follows is of another run. */
    beginRun() {
      append(noteLine("new run"));
    },
    /** The board that is shown, and its number. */
    setBoard(state, number) {
      if (board !== number) {
        board = number;
        for (const line of lines.children) line.hidden = isOfAnother(line, board);
        stick();
      }
      setAttribute(form, "hidden", !state.abilities.includes("type"));
      setEnabled(send, state.isOn !== false);
    },
  };
}

/** Whether a line is of another board than `board`; notes of the page are of all. */
function isOfAnother(line, board) {
  return line.dataset.board !== undefined && Number(line.dataset.board) !== board;
}

function noteLine(text) {
  return element("div", { class: "line", "data-kind": "note" }, element("span", { class: "at" }), element("span", {}, text));
}

function makeLine({ b, t: time, k: kind, s: text }, board) {
  return element(
    "div",
    { class: "line", "data-kind": kind, "data-board": b, hidden: b !== board },
    element("span", { class: "at" }, (time / 1000).toFixed(3)),
    element("span", { class: "text" }, text),
  );
}

// The colours of ANSI escape sequences, as ESP-IDF's log has them; other sequences are left out.

const pattern = /\u001b\[([0-9;]*)([A-Za-z])/g;

/** The text as spans with the classes `ansi-1` (red) to `ansi-7`, and `ansi-bold`. */
export function ansiSpans(text) {
  const spans = [];
  let style = { color: 0, isBold: false };
  let end = 0;
  const add = (part) => {
    if (!part) return;
    const span = document.createElement("span");
    if (style.color) span.classList.add(`ansi-${style.color}`);
    if (style.isBold) span.classList.add("ansi-bold");
    span.textContent = part;
    spans.push(span);
  };
  for (const match of text.matchAll(pattern)) {
    add(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[2] === "m") style = styled(style, match[1]);
  }
  add(text.slice(end));
  return spans;
}

function styled(style, codes) {
  const next = { ...style };
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) Object.assign(next, { color: 0, isBold: false });
    else if (code === 1) next.isBold = true;
    else if (code === 22) next.isBold = false;
    else if (code === 39) next.color = 0;
    else if (code >= 30 && code <= 37) next.color = code - 30;
    else if (code >= 90 && code <= 97) next.color = code - 90;
  }
  return next;
}

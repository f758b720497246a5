// Elements, and what changes in them. Nothing is replaced that has not changed, so that focus and selection stay.

/** An element with attributes and children; `on…` are listeners, `undefined` and `false` are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button. */
export function button(text, action, attributes = {}) {
  return element("button", { type: "button", onclick: action, ...attributes }, text);
}

/** Sets a text, if it is another one. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A number with at most two decimals. */
export function decimal(number) {
  return String(Number(number.toFixed(2)));
}

/** Sets or removes an attribute. */
export function setAttribute(node, name, value) {
  if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? "" : value);
}

/** Disables a button; one that has the focus keeps it, so that keyboards do not lose their place. */
export function setEnabled(node, isEnabled) {
  setAttribute(node, "aria-disabled", isEnabled ? undefined : "true");
}

/**
 * Makes the children of `parent` those of `items`: keeps what is there by key, makes what is new, and updates all of them.
 */
export function setChildren(parent, items, key, make, update) {
  const former = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let child = former.get(name);
    former.delete(name);
    if (!child) {
      child = make(item);
      child.dataset.key = name;
    }
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
    update(child, item);
  }
  for (const child of former.values()) child.remove();
}

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

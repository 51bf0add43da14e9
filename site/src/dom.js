// Elements from data. Texts of items only ever become text nodes, so markup in them is text.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((one) => one !== null && one !== false));
  return element;
}

/** An HTML element: h("p", { class: "hint" }, "text", other). */
export const h = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Replace what an element contains. */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((one) => one !== null && one !== false));
}

/** A text of at most so many characters. */
export function shorten(text, most) {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

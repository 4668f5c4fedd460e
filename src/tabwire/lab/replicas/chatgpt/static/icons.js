// Small pictures for buttons, drawn here: lines in a box of 24 by 24.

const LINES = {
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  edit: "M4 20h4L19 9l-4-4L4 16zM14 6l4 4",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  mic: "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4",
  wave: "M4 10v4M8 7v10M12 4v16M16 7v10M20 10v4",
  thumb: "M7 11v9H4v-9zM7 11l4-8a2.5 2.5 0 0 1 2 3v3h6l-1.5 9a2 2 0 0 1-2 2H7",
  thumbdown: "M17 13V4h3v9zM17 13l-4 8a2.5 2.5 0 0 1-2-3v-3H5l1.5-9a2 2 0 0 1 2-2H17",
  again: "M20 11a8 8 0 1 0-2 6M20 4v7h-7",
  more: "M4.5 12h1M11.5 12h1M18.5 12h1",
  menu: "M4 7h16M4 12h10M4 17h16",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
  share: "M12 15V4M8 7l4-4 4 4M5 13v7h14v-7",
  wrap: "M4 6h16M4 12h13a3 3 0 0 1 0 6h-4M15 15l-3 3 3 3M4 18h4",
  play: "M7 4l13 8-13 8z",
  folder: "M3 6h6l2 3h10v10H3z",
  ghost: "M5 20V11a7 7 0 0 1 14 0v9l-3-2-2 2-2-2-2 2-2-2zM10 11h.01M14 11h.01",
  spark: "M12 3l2 6 6 3-6 3-2 6-2-6-6-3 6-3z",
  chevron: "M7 10l5 5 5-5",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", LINES[name] ?? "M7 7h10v10H7z");
  if (!LINES[name]) path.setAttribute("fill", "currentColor"); // the square of Stop
  svg.append(path);
  return svg;
}

// The page's little drawings, made for the lab: icon("copy") is an <svg>.

const PATHS = {
  attach: "M12 5v14M5 12h14",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  voice: "M5 10v4M9 7v10M13 4v16M17 8v8M21 11v2",
  copy: "M9 9h10v11H9zM5 15V4h10",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  regenerate: "M20 11a8 8 0 1 0-2.3 6.2M20 5v6h-6",
  thread: "M5 5h14v10H9l-4 4z",
  share: "M12 15V4M8 8l4-4 4 4M5 13v7h14v-7",
  like: "M7 11v9H4v-9zM7 11l4-7c2 0 2 2 1 5h6c2 0 2 2 1 5l-1 5c0 1-1 1-2 1H7",
  dislike: "M7 13V4H4v9zM7 13l4 7c2 0 2-2 1-5h6c2 0 2-2 1-5l-1-5c0-1-1-1-2-1H7",
  actions: "M6 12h.01M12 12h.01M18 12h.01",
  newChat: "M12 5H5v14h14v-7M10 14l9-9",
  private: "M6 20V10a6 6 0 0 1 12 0v10l-3-2-3 2-3-2zM10 11h.01M14 11h.01",
  folder: "M4 6h6l2 2h8v11H4z",
  down: "M7 10l5 5 5-5",
  mark: "M5 19L19 5M9 7a6 6 0 1 0 8 8",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

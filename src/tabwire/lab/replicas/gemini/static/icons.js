// Small drawings, named as the site's icon font names its signs.

import { make } from "/assets/element.js";

const DRAWN = {
  send: "M3 20v-6l8-2-8-2V4l19 8Z",
  stop: "M6 6h12v12H6Z",
  hold: "M5 5h14v14H5Zm3 3v8h8V8Z",
  mic: "M12 14a3 3 0 0 0 3-3V5a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3Zm-1 7v-3.1A7 7 0 0 1 5 11h2a5 5 0 0 0 10 0h2a7 7 0 0 1-6 6.9V21Z",
  thumb_up: "M7 21H3V9h4Zm2 0V9l5-7 1.5 1.2c.4.4.5.9.4 1.4L15 8h5a2 2 0 0 1 2 2.5l-2.3 9A2 2 0 0 1 17.800 21Z",
  thumb_down: "M17 3h4v12h-4Zm-2 0v12l-5 7-1.500-1.200c-.4-.4-.5-.9-.4-1.400L9 16H4a2 2 0 0 1-2-2.500l2.300-9A2 2 0 0 1 6.200 3Z",
  refresh: "M12 20a8 8 0 1 1 5.700-13.700L20 4v7h-7l2.800-2.800A6 6 0 1 0 17.700 14h2A8 8 0 0 1 12 20Z",
  content_copy: "M9 18a2 2 0 0 1-2-2V4c0-1.100.9-2 2-2h9a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2Zm0-2h9V4H9Zm-4 6a2 2 0 0 1-2-2V6h2v14h11v2Z",
  more_vert: "M12 20a2 2 0 1 1 0-4 2 2 0 0 1 0 4Zm0-6a2 2 0 1 1 0-4 2 2 0 0 1 0 4Zm0-6a2 2 0 1 1 0-4 2 2 0 0 1 0 4Z",
  menu: "M3 18v-2h18v2Zm0-5v-2h18v2Zm0-5V6h18v2Z",
  edit_square: "M5 21a2 2 0 0 1-2-2V5c0-1.100.9-2 2-2h8.900l-2 2H5v14h14v-6.900l2-2V19a2 2 0 0 1-2 2Zm4-6v-4.200L18.200 1.600l4.200 4.200L13.200 15Z",
  add_2: "M11 19v-6H5v-2h6V5h2v6h6v2h-6v6Z",
  page_info: "M18 20a3 3 0 0 1-2.800-2H4v-2h11.200A3 3 0 1 1 18 20ZM6 10a3 3 0 1 1 2.800-4H20v2H8.800A3 3 0 0 1 6 10Z",
  keyboard_arrow_down: "M12 15.400 6 9.400 7.400 8l4.600 4.600L16.600 8 18 9.400Z",
  volume_up: "M14 20.700v-2a7 7 0 0 0 0-13.400v-2a9 9 0 0 1 0 17.400ZM3 15V9h4l5-5v16l-5-5Z",
  pause: "M14 19V5h4v14ZM6 19V5h4v14Z",
  spark: "M12 22c0-5.500-4.500-10-10-10 5.500 0 10-4.500 10-10 0 5.500 4.500 10 10 10-5.500 0-10 4.500-10 10Z",
  chat_dashed: "M4 4h5v2H4Zm7 0h5v2h-5Zm7 0h2v5h-2Zm0 7h2v5h-2ZM4 8h2v5H4Zm0 7h2l2 2h4v2H8l-4 3Zm10 2h4v2h-4Z",
  close: "M6.400 19 5 17.600l5.600-5.600L5 6.400 6.400 5l5.600 5.600L17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600Z",
};

export function icon(name) {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#747775" d="${DRAWN[name]}"/></svg>`;
  const picture = make("img", { alt: name, src: `data:image/svg+xml,${encodeURIComponent(drawing)}` });
  const attributes = { role: "img", fonticon: name, "data-mat-icon-name": name, "aria-hidden": "true" };
  return make("mat-icon", { class: "mat-icon notranslate", ...attributes }, picture);
}

// A round button with a sign on it and a label for those who cannot see it.
export function iconButton(name, label, attributes = {}) {
  const named = { type: "button", class: "mdc-icon-button", "aria-label": label, title: label };
  return make("button", { ...named, ...attributes }, icon(name));
}

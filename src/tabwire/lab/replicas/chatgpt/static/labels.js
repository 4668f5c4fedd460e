// Every word of the page in its six languages; `t("send")` is the word in the page's own.
//
// `{name}` in a word stands for what `say("thought_for", { seconds: 3 })` puts there.

import { labels } from "/assets/stage.js";
import { ar } from "/assets/labels_ar.js";
import { de } from "/assets/labels_de.js";
import { fr } from "/assets/labels_fr.js";
import { ja } from "/assets/labels_ja.js";
import { zh } from "/assets/labels_zh.js";

const en = {
  greeting: "What’s on your mind today?",
  ask: "Ask ChatGPT",
  ask_classic: "Chat with ChatGPT",
  placeholder: "Ask anything",
  send: "Send",
  stop: "Stop",
  send_classic: "Send prompt",
  stop_classic: "Stop streaming",
  voice: "Start Voice",
  dictate: "Dictate",
  add: "Add files and more",
  photos: "Add photos & files",
  files: "Upload files",
  camera: "Take a photo",
  remove_file: "Remove file",
  upload_failed: "Upload failed",
  you_said: "You said:",
  it_said: "ChatGPT said:",
  copy: "Copy",
  copy_message: "Copy message",
  copy_response: "Copy response",
  edit_message: "Edit message",
  your_actions: "Your message actions",
  response_actions: "Response actions",
  rate: "Rate response",
  good: "Good response",
  bad: "Bad response",
  share: "Share",
  again: "Regenerate response",
  more: "More actions",
  read_aloud: "Read aloud",
  stop_reading: "Stop",
  edit_code: "Edit code",
  run_code: "Run code",
  wrap: "Enable word wrap",
  to_end: "Scroll to bottom",
  thinking: "Thinking",
  thought_for: "Thought for {seconds}s",
  thought_moment: "Thought for a moment",
  skip: "Skip thinking",
  searching: "Searching: {what}",
  new_chat: "New chat",
  search_chats: "Search chats",
  history: "Chat history",
  open_sidebar: "Open sidebar",
  close_sidebar: "Close sidebar",
  project: "Lab notes",
  projects: "Projects",
  project_new: "New chat in {name}",
  temporary: "Temporary chat",
  temporary_note: "This chat won’t appear in your history.",
  profile: "Open profile menu",
  person: "Lab person",
  plan: "Plus",
  model: "Select ChatGPT model",
  model_classic: "Model selector",
  power: "Power",
  family: "Model",
  effort: "Effort",
  instant: "Instant",
  medium: "Medium",
  high: "High",
  extra: "Extra High",
  pro: "Pro",
  exhausted: "Limit reached. Resets at {time}.",
  log_in: "Log in",
  sign_up: "Sign up for free",
  tailored: "Get responses tailored to you",
  tailored_more: "Log in to get answers based on saved chats, plus create images and upload files.",
  wall_title: "Welcome back",
  wall_more: "Log in or sign up to go on.",
  email: "Email address",
  go_on: "Continue",
  expired_title: "Your session has expired",
  expired: "Please log in again to continue using the app.",
  limit_title: "Too many requests",
  limit: "You’re making requests too quickly. We’ve temporarily limited access to your conversations. Please wait a few minutes before trying again.",
  limit_until_title: "You’ve reached your limit",
  limit_until: "You’ve hit your message limit. Please try again after {time}.",
  upgrade: "Upgrade plan",
  got_it: "Got it",
  error: "Something went wrong while generating the response.",
  network_error: "Network error",
  network_more: "The connection was lost. Check it and try again.",
  blocked: "Our systems have detected unusual activity. Please try again later.",
  retry: "Retry",
  not_found: "Unable to load conversation {id}",
  cookies_title: "We use cookies",
  cookies: "Cookies help this site work and show how it is used. Choose what you allow.",
  cookies_yes: "Accept all",
  cookies_no: "Reject non-essential",
  upsell_title: "Try Plus free for one month",
  upsell: "Longer thinking, more uploads, earlier access.",
  upsell_yes: "Claim the offer",
  upsell_no: "Maybe later",
  update_title: "A new version is available",
  update: "Load the page anew to go on.",
  update_yes: "Reload",
  update_no: "Not now",
  mistakes: "ChatGPT can make mistakes. Check important info.",
};

export const t = labels({ en, ja, de, fr, ar, zh });

export function say(key, values) {
  return t(key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// An hour of the day as people of this language write it.
export function clock(at, language = document.documentElement.lang) {
  return new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" }).format(at);
}

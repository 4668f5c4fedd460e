// Which hosts are listed, and whose they are. The manifest is the only list.

const NAMES = {
  "chatgpt.com": "chatgpt",
  "chat.openai.com": "chatgpt",
  "gemini.google.com": "gemini",
  "grok.com": "grok",
  "www.grok.com": "grok",
};

export const PATTERNS = chrome.runtime.getManifest().host_permissions;

const HOSTS = new Set(PATTERNS.map((pattern) => pattern.slice("https://".length, -"/*".length)));

// The name of the site an address belongs to, or null where it is not listed.
export function siteOf(url) {
  let parts;
  try {
    parts = new URL(url);
  } catch {
    return null;
  }
  const plain = parts.protocol === "https:" && parts.port === "" && parts.username === "";
  return plain && HOSTS.has(parts.hostname) ? NAMES[parts.hostname] : null;
}

export function mayBeOpened(url) {
  return url === "about:blank" || siteOf(url) !== null;
}

export const SITES = [...new Set(Object.values(NAMES))];

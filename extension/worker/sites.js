// Whether an address is at a supported site, and at which one.

import "../hosts.js";

const HOSTS = globalThis.tabwire.hosts.pages;

export const SITES = [...new Set(Object.values(HOSTS))];

export const PATTERNS = Object.keys(HOSTS).map((host) => `https://${host}/*`);

// The name of the site an address belongs to, or null if it is not a supported one.
export function siteOf(url) {
  let parts;
  try {
    parts = new URL(url);
  } catch {
    return null;
  }
  const plain = parts.protocol === "https:" && parts.port === "" && parts.username === "";
  return plain ? (HOSTS[parts.hostname] ?? null) : null;
}

export function mayBeOpened(url) {
  return url === "about:blank" || siteOf(url) !== null;
}

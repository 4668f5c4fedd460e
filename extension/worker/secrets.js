// Proofs and the key. The key lives in a database only this extension's own pages and worker can
// open, as a CryptoKey that cannot be read back: scripts in web pages cannot reach it, not even
// ours, as they could with storage.local.

const encoder = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" };
const ROUNDS = 200_000;
const STORE = "keys";

export function toText(bytes) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

export function newNonce() {
  return toText(crypto.getRandomValues(new Uint8Array(32)));
}

export function keyOf(bytes) {
  return crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign", "verify"]);
}

export async function sign(key, words) {
  return toText(await crypto.subtle.sign("HMAC", key, encoder.encode(words)));
}

// Compared by the browser, in constant time.
export async function proves(key, words, proof) {
  try {
    return await crypto.subtle.verify("HMAC", key, toBytes(proof), encoder.encode(words));
  } catch {
    return false; // not even base64
  }
}

// What a typed code is worth in this one handshake.
export async function keyOfCode(code, mine, theirs) {
  const plain = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  const typed = await crypto.subtle.importKey("raw", encoder.encode(plain), "PBKDF2", false, [
    "deriveBits",
  ]);
  const salt = encoder.encode(`${mine}.${theirs}`);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS };
  return keyOf(await crypto.subtle.deriveBits(how, typed, 256));
}

// What both sides keep afterwards.
export async function lastingKey(ofCode) {
  const words = encoder.encode("tabwire relay key");
  return keyOf(await crypto.subtle.sign("HMAC", ofCode, words));
}

export function keepKey(hub, key) {
  return withStore("readwrite", (store) => store.put(key, hub));
}

export function findKey(hub) {
  return withStore("readonly", (store) => store.get(hub));
}

export function forgetKey(hub) {
  return withStore("readwrite", (store) => store.delete(hub));
}

function withStore(mode, act) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("tabwire", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        done(request.result);
      };
      transaction.onabort = () => {
        database.close();
        failed(transaction.error);
      };
    };
  });
}

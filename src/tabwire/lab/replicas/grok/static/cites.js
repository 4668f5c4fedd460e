// Sources: tags in the text name cards, a card has the address, the page shows a link to it.
// A tag is never shown, nor half of one while it grows; without a card it is dropped.

const TAG = /<grok:render card_id="([^"]*)"[\s\S]*?<\/grok:render>/g;
const HALF = /<(?:g(?:r(?:o(?:k(?::(?:r(?:e(?:n(?:d(?:e(?:r[\s\S]*)?)?)?)?)?)?)?)?)?)?)?$/;

export class Cards {
  constructor() {
    this.urls = new Map(); // by the card's id
  }

  // Cards come alone while an answer is written, and all together with what is stored of it.
  take(cards) {
    for (const card of cards) {
      const { id, url } = JSON.parse(card);
      if (url) this.urls.set(id, url);
    }
  }

  linked(text) {
    if (!text.includes("<")) return text;
    const shown = text.replace(TAG, (_tag, id) => {
      const url = this.urls.get(id);
      return url ? ` [${new URL(url).hostname}](${url})` : "";
    });
    return shown.replace(HALF, "");
  }

  // Whether a link on the page is a source's.
  has(link) {
    return [...this.urls.values()].includes(link.getAttribute("href"));
  }
}

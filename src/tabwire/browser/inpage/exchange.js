// needs: parts
// The newest exchange: the newest question and what follows it. Nothing of an older one.
//
// Layouts differ: one element may hold question and answer both, or there is one per message.
// So the newest question is found first, and only answers behind it in the page are its own.
((tabwire) => {
  if (tabwire.exchange) return;
  const { closest, contains, inOrder, outermost, precedes } = tabwire.deep;

  const NAMES = ["data-turn-key", "data-message-id", "data-turn-id", "data-testid", "id"];
  const names = new WeakMap(); // an element keeps the name it had first: ids change on the way

  const nameOf = (elements, number) => {
    for (const element of elements) if (names.has(element)) return names.get(element);
    const given = elements.flatMap((element) => NAMES.map((name) => element.getAttribute(name) ?? ""));
    const name = given.find((one) => /\d/.test(one)) ?? `${number}`; // without a digit it is no name
    for (const element of elements) names.set(element, name);
    return name;
  };

  const messages = (part, roots, fit) => {
    const { elements, css } = part.find(roots, fit);
    const sorted = roots.length > 1 ? inOrder(elements) : elements;
    return { css, elements: outermost(sorted) };
  };

  class Exchange {
    constructor(layout, roots) {
      const { parts } = layout;
      this.parts = parts;
      this.roots = roots;
      this.questions = messages(parts.user_message, roots).elements;
      this.allAnswers = messages(parts.assistant_message, roots).elements;
      this.question = this.questions.at(-1) ?? null;
      this.answers = this.following();
      this.homes = [...new Set(this.answers.map((one) => this.homeOf(one)))];
      this.shadows = roots.filter((one) => one instanceof ShadowRoot);
    }

    following() {
      if (this.question === null) return this.allAnswers.slice(-1);
      const behind = [];
      for (const answer of [...this.allAnswers].reverse()) {
        if (!precedes(this.question, answer) || contains(this.question, answer)) break;
        behind.unshift(answer);
      }
      return behind;
    }

    // The exchange an element belongs to, or the element itself where there is no such thing.
    homeOf(element) {
      const css = this.parts.exchange.css;
      return (css && closest(element, css)) || element;
    }

    get name() {
      const anchor = this.question ?? this.answers[0];
      if (!anchor) return "";
      return nameOf([this.homeOf(anchor), anchor], this.questions.length);
    }

    // The first candidate of a part that stands in these elements, shadows included.
    within(part, elements, fit = () => true) {
      if (elements.length === 0) return part.find([]);
      const deep = this.shadows.filter((root) => elements.some((one) => contains(one, root.host)));
      const found = part.find([...elements, ...deep], fit, deep.length > 0);
      const sorted = deep.length > 0 || elements.length > 1 ? inOrder(found.elements) : found.elements;
      return { ...found, elements: sorted };
    }

    // Where the answer's text is. Several, where the site thinks midway. Where none is known
    // the whole message serves, but only one that is `still`: until then it may say anything.
    textRoots(still) {
      const { elements, css } = this.within(this.parts.text_root, this.answers);
      if (elements.length > 0) return { elements: outermost(elements), css, loose: false };
      return { elements: still ? this.answers : [], css: "assistant_message", loose: true };
    }

    isOfTheQuestion(element) {
      return this.question !== null && contains(this.question, element);
    }

    // The action bar of this answer: not the question's, not a code block's.
    hasActions(textRoots) {
      const fit = (element) =>
        !this.isOfTheQuestion(element) && !textRoots.some((root) => contains(root, element));
      return this.within(this.parts.actions, this.homes, fit).elements.length > 0;
    }

    isStreaming() {
      return this.within(this.parts.streaming, this.homes).elements.length > 0;
    }

    // Thinking that stands in the page: some of it stands empty where nothing was thought.
    thinking() {
      const fit = (element) => !this.isOfTheQuestion(element);
      return this.within(this.parts.thinking, this.homes, fit).elements;
    }

    get messages() {
      return [...this.questions, ...this.allAnswers];
    }
  }

  tabwire.exchange = { Exchange };
})((globalThis.tabwire ??= {}));

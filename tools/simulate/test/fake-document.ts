/** As much of a document as the page's script needs; it can be written out as markup. */
export class FakeElement {
  readonly name: string;
  readonly attributes: Record<string, string> = {};
  readonly children: (FakeElement | string)[] = [];
  readonly listeners: Record<string, (event: { clientX: number }) => void> = {};
  readonly style: Record<string, string> = {};
  className = '';

  constructor(name: string) {
    this.name = name;
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }

  set textContent(text: string) {
    this.children.splice(0, this.children.length, text);
  }

  setAttribute(key: string, value: string | number): void {
    this.attributes[key] = String(value);
  }

  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }

  addEventListener(type: string, listener: (event: { clientX: number }) => void): void {
    this.listeners[type] = listener;
  }

  getBoundingClientRect(): { left: number; width: number } {
    return { left: 0, width: 900 };
  }

  /** All elements of a name inside, in order. */
  all(name: string): FakeElement[] {
    return this.children.flatMap((child) =>
      typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...child.all(name)],
    );
  }

  toString(): string {
    const attributes = Object.entries(this.attributes).map(([key, value]) => ` ${key}="${value}"`);
    return `<${this.name}${attributes.join('')}>${this.children.join('')}</${this.name}>`;
  }
}

/** A document that has the page's data and the place for its charts. */
export class FakeDocument {
  readonly charts: FakeElement = new FakeElement('div');
  readonly #data: FakeElement = new FakeElement('script');

  constructor(data: string) {
    this.#data.textContent = data;
  }

  getElementById(id: string): FakeElement | undefined {
    return { data: this.#data, charts: this.charts }[id];
  }

  createElement(name: string): FakeElement {
    return new FakeElement(name);
  }

  createElementNS(_: string, name: string): FakeElement {
    return new FakeElement(name);
  }
}

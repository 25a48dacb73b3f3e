/* Elements. Whatever text comes in becomes text: nothing of this page is ever parsed as markup. */

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === 'class') element.className = value;
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const paths = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  previous: 'M5 5h2.4v14H5zM19 5v14L8.5 12z',
  next: 'M16.6 5H19v14h-2.4zM5 5v14l10.500-7z',
  loop: 'M17 2l4 4-4 4V7.200H7.200V11H5V5h12zM7 22l-4-4 4-4v2.800h9.800V13H19v6H7z',
  theme: 'M12 3a9 9 0 1 0 0 18V3zm0-2a11 11 0 1 1 0 22 11 11 0 0 1 0-22z',
  close: 'M6 4.600L4.600 6l6 6-6 6L6 19.400l6-6 6 6 1.400-1.400-6-6 6-6L18 4.600l-6 6z',
  plus: 'M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z',
};

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

export function button(label, content, listener, attributes = {}) {
  return h('button', { type: 'button', 'aria-label': label, title: label, on: { click: listener }, ...attributes }, content);
}

/* A button that is down or up. */
export function toggle(label, content, pressed, listener, attributes = {}) {
  const element = button(label, content, () => {
    const now = element.getAttribute('aria-pressed') !== 'true';
    element.setAttribute('aria-pressed', now);
    listener(now);
  }, { 'aria-pressed': String(pressed), ...attributes });
  return element;
}

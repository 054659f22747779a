// Every text that is seen, with its contrast to what is behind it by the formula of WCAG 2.2.
// What is behind a text: the backgrounds of the elements around it; in a drawing its halo, or the shapes below it.
const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

// Answers each question once, for a page has thousands of texts in few colours and elements.
function once(answer) {
  const known = new Map();
  return (asked) => {
    if (!known.has(asked)) known.set(asked, answer(asked));
    return known.get(asked);
  };
}

const rgba = once((colour) => {
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
});

const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a)).concat(1);
const faded = ([r, g, b, a], element) => [r, g, b, a * opacity(element)];

const opacity = once((element) => element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);

function luminance(colour) {
  const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// The colours behind an element: several where a gradient is.
const behind = once((element) => {
  if (!element) return [[255, 255, 255, 1]];
  const style = getComputedStyle(element);
  const stops = [...style.backgroundImage.matchAll(/(?:rgba?|color|oklab)\([^()]*\)/g)].map(([colour]) => colour);
  const own = (stops.length ? stops : [style.backgroundColor]).map((colour) => faded(rgba(colour), element));
  if (own.every((colour) => colour[3] === 1)) return own;
  return behind(element.parentElement).flatMap((below) => own.map((colour) => over(colour, below)));
});

// Whether a shape is drawn at a point of the screen, also one that is drawn by its name.
function covers(shape, point) {
  const { x, y } = point.matrixTransform(shape.getScreenCTM().inverse());
  if (shape.localName !== "use") return shape.isPointInFill(new DOMPoint(x, y));
  const drawn = document.querySelector(shape.getAttribute("href"));
  const moved = new DOMPoint(x - shape.x.baseVal.value, y - shape.y.baseVal.value);
  return drawn instanceof SVGGeometryElement && drawn.isPointInFill(moved);
}

// The filled shapes of a drawing with the boxes they lie in, so that few must be asked whether they cover a point.
const filled = once((svg) => [...svg.querySelectorAll("rect, circle, ellipse, path, polygon, use")]
  .filter((shape) => !shape.closest("defs, symbol") && getComputedStyle(shape).fill !== "none" && seen(shape))
  .map((shape) => ({ shape, box: shape.getBoundingClientRect() })));

const holds = (box, { x, y }) => x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1;

function behindDrawn(text) {
  const style = getComputedStyle(text), svg = text.ownerSVGElement;
  if (style.stroke !== "none" && style.paintOrder.startsWith("stroke")) return [rgba(style.stroke)];
  const { x, y, width, height } = text.getBoundingClientRect();
  const middle = new DOMPoint(x + width / 2, y + height / 2);
  let [below] = behind(svg);
  for (const { shape, box } of filled(svg)) {
    const before = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (!before || !holds(box, middle) || !covers(shape, middle)) continue;
    const { fill, fillOpacity } = getComputedStyle(shape);
    const [r, g, b, a] = faded(rgba(fill), shape);
    below = over([r, g, b, a * Number(fillOpacity)], below);
  }
  return [below];
}

// Text for screen readers only is in a box of one pixel.
const unseen = once((element) => element && (element.clientWidth === 1 || unseen(element.parentElement)));

// Chromium's checkVisibility does not know what is drawn in a hidden group.
const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getClientRects().length > 0;

const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
  if (!text || !seen(element) || unseen(element) || element.closest(":disabled, title, defs, option")) continue;
  const style = getComputedStyle(element), drawn = element instanceof SVGElement;
  const colour = faded(rgba(drawn ? style.fill : style.color), element);
  const ratios = (drawn ? behindDrawn(element) : behind(element)).map((below) => contrast(over(colour, below), below));
  const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  found.push({ text, element: element.outerHTML.slice(0, 120), contrast: Math.min(...ratios), needed: large ? 3 : 4.5 });
}
return found;

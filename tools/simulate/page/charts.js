/* global document */
// Draws the charts of the page from the data inside it: SVG lines over time, axes with units, and values where the pointer is.
(() => {
  const WIDTH = 900;
  const HEIGHT = 240;
  const LEFT = 64;
  const RIGHT = 12;
  const TOP = 22;
  const BOTTOM = 40;
  const MOST_TICKS = 6;
  const { times, charts } = JSON.parse(document.getElementById('data').textContent);
  const lastTime = times[times.length - 1] ?? 1;

  const svg = (name, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const html = (name, className, ...children) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };
  const color = (index) => `var(--series-${index})`;

  /** Round steps of 1, 2 or 5 times a power of ten from 0 to at least `top`. */
  const ticksTo = (top) => {
    const rough = top / MOST_TICKS;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
    return Array.from({ length: Math.ceil(top / step - 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
  };
  const plain = (value) => value.toLocaleString('en', { maximumSignificantDigits: 6 });

  const draw = (chart) => {
    const top = Math.max(...chart.series.flatMap(({ values }) => values), 0) || 1;
    const levels = ticksTo(top);
    const limit = levels[levels.length - 1];
    const x = (time) => LEFT + (time / lastTime) * (WIDTH - LEFT - RIGHT);
    const y = (value) => HEIGHT - BOTTOM - (value / limit) * (HEIGHT - TOP - BOTTOM);
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${chart.title} over time` });

    for (const level of levels) {
      picture.append(svg('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(level), y2: y(level) }));
      picture.append(svg('text', { x: LEFT - 8, y: y(level) + 4, 'text-anchor': 'end' }, plain(level)));
    }
    picture.append(svg('text', { x: LEFT - 8, y: 12, 'text-anchor': 'end' }, chart.unit));
    for (const time of ticksTo(lastTime).filter((tick) => tick <= lastTime)) {
      picture.append(svg('line', { class: 'grid', x1: x(time), x2: x(time), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 5 }));
      picture.append(svg('text', { x: x(time), y: HEIGHT - BOTTOM + 19, 'text-anchor': 'middle' }, plain(time)));
    }
    picture.append(svg('text', { x: WIDTH - RIGHT, y: HEIGHT - 4, 'text-anchor': 'end' }, 'simulated time (s)'));

    // The first series is the most telling one: it is drawn last, over the others.
    for (let i = chart.series.length - 1; i >= 0; i--) {
      const points = chart.series[i].values.map((value, at) => `${x(times[at]).toFixed(1)},${y(value).toFixed(1)}`);
      picture.append(svg('polyline', { class: 'curve', points: points.join(' '), style: `stroke: ${color(i)}` }));
    }
    const cursor = svg('line', { class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden' });
    picture.append(cursor);

    const moment = html('span', 'moment');
    const readings = chart.series.map(() => html('span', ''));
    const legend = html(
      'div',
      'legend',
      ...chart.series.map(({ name }, i) => {
        const mark = html('i', '');
        mark.style.borderColor = color(i);
        return html('span', '', mark, `${name} `, readings[i]);
      }),
      moment,
    );
    const show = (at) => {
      const isOver = at !== undefined;
      cursor.setAttribute('visibility', isOver ? 'visible' : 'hidden');
      moment.textContent = isOver ? `at ${plain(times[at])} s` : '';
      for (const [i, { values }] of chart.series.entries()) readings[i].textContent = isOver ? plain(values[at]) : '';
      if (!isOver) return;
      cursor.setAttribute('x1', x(times[at]));
      cursor.setAttribute('x2', x(times[at]));
    };
    picture.addEventListener('pointermove', (event) => {
      const box = picture.getBoundingClientRect();
      const time = ((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * lastTime;
      const after = times.findIndex((each) => each >= time);
      const next = after < 0 ? times.length - 1 : after;
      show(next > 0 && time - times[next - 1] < times[next] - time ? next - 1 : next);
    });
    picture.addEventListener('pointerleave', () => show(undefined));

    const caption = html('figcaption', '', html('b', '', chart.title), html('span', '', chart.note), legend);
    return html('figure', '', caption, picture);
  };

  document.getElementById('charts').append(...charts.map(draw));
})();

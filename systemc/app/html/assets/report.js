'use strict';
// Charts of occupancy, sorting of tables. Everything else of the page works without a script.
(() => {
  const data = document.getElementById('data');
  const { occupancy, other, rates } = data ? JSON.parse(data.textContent)
    : { occupancy: { bucket_ps: 1, end_ps: 1, values: [] } };  // a page without charts
  // Of two runs, the wider buckets and the longer time.
  const frame = {
    bucket_ps: Math.max(occupancy.bucket_ps, other ? other.bucket_ps : 1),
    end_ps: Math.max(occupancy.end_ps, other ? other.end_ps : 1)
  };
  const shown = { charts: [], window: null };
  const whole = () => [0, frame.end_ps / 1e6];  // microseconds

  // The points of a value as they were coded: [bucket, last, least, most].
  const decode = (points) => {
    const rows = [];
    let bucket = 0, last = 0;
    for (let i = 0; i < points.length; i += 4) {
      bucket += points[i];
      last += points[i + 1];
      rows.push([bucket, last, last - points[i + 2], last + points[i + 3]]);
    }
    return rows;
  };
  // A row for every bucket: least, last, most; where nothing happened the last value stays. Buckets
  // of the run are put together where those of the chart are wider.
  const filled = (value, run, buckets) => {
    const rows = new Array(buckets);
    const start = value && (value.at_start_cells || value.at_start_mbps) || 0;
    let at = [start, start, start], next = 0;
    const points = value ? decode(value.points) : [];
    const place = (point) => Math.floor(point[0] * run.bucket_ps / frame.bucket_ps);
    for (let bucket = 0; bucket < buckets; ++bucket) {
      rows[bucket] = at;
      while (next < points.length && place(points[next]) === bucket) {
        const [, last, least, most] = points[next++], before = rows[bucket];
        rows[bucket] = before === at ? [least, last, most]
          : [Math.min(before[0], least), last, Math.max(before[2], most)];
      }
      const last = rows[bucket][1];
      at = rows[bucket] === at ? at : [last, last, last];
    }
    return rows;
  };
  const bucketCount = Math.max(1, Math.ceil(frame.end_ps / frame.bucket_ps));
  // Lines: [value, its run] each.
  const table = (lines) => {
    const columns = lines.map(([value, run]) => filled(value, run, bucketCount));
    const rows = [];
    for (let bucket = 0; bucket < bucketCount; ++bucket)
      rows.push([bucket * frame.bucket_ps / 1e6, ...columns.map((column) => column[bucket])]);
    rows.push([frame.end_ps / 1e6, ...columns.map((column) => column[bucketCount - 1])]);
    return rows;
  };

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const looks = () => ({
    colors: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => style('--c' + i)),
    gridLineColor: style('--line'),
    axisLineColor: style('--quiet'),
    rangeSelectorPlotFillColor: style('--panel'),
    rangeSelectorPlotStrokeColor: style('--quiet')
  });
  const number = (value) => Math.round(value).toLocaleString('en');
  const rounded = (value) => String(Number(value.toPrecision(5)));
  const time = (us) => us >= 1000 ? rounded(us / 1000) + ' ms' : rounded(us) + ' us';
  // Lines differ in dash and width, too.
  const strokes = [
    { strokePattern: null, strokeWidth: 1.5 }, { strokePattern: [9, 4], strokeWidth: 2.5 },
    { strokePattern: [2, 3], strokeWidth: 2 }, { strokePattern: [9, 3, 2, 3], strokeWidth: 2 },
    ...[[14, 3], [5, 5], [1, 5], [12, 3, 2, 3, 2, 3], [18, 6], [4, 2], [3, 8], [8, 8], [16, 2, 4, 2],
      [6, 2, 1, 2], [20, 2], [2, 1], [10, 10]].map((dash) => ({ strokePattern: dash, strokeWidth: 2 }))
  ];
  const stroke = (i) => strokes[i % strokes.length];
  const key = (holder, labels) => {
    const samples = labels.map((label, i) =>
      '<span><svg width=44 height=10 aria-hidden=true><path d="M0 5h44" fill=none stroke="var(--c' +
      (i % 8 + 1) + ')" stroke-width=' + stroke(i).strokeWidth +
      ' stroke-dasharray="' + (stroke(i).strokePattern || []).join(' ') + '"/></svg> ' +
      escaped(label) + '</span>');
    holder.parentElement.querySelector('.key').innerHTML = samples.join('');
  };
  const escaped = (text) => {
    const holder = document.createElement('span');
    holder.textContent = text;
    return holder.innerHTML;
  };
  // Cells or bytes, for all charts.
  const unit = { bytes: false };
  const size = (cells, cell) => {
    if (cells === 0) return '0';
    if (!unit.bytes || !cell) return number(cells) + ' cells';
    const bytes = cells * cell, [by, name] = bytes < 1e6 ? [1e3, ' kB'] : [1e6, ' MB'];
    return (bytes / by).toPrecision(4) + name;
  };

  // What a chart's values count: sizes, or rates.
  const sizes = (cell) => ({ text: (value) => size(value, cell),
    axis: (value) => unit.bytes ? size(value, cell) : number(value) });
  const megabits = { text: (value) => number(value) + ' Mbps', axis: number };

  // The bands of a stack: values alone, at the end of each bucket.
  const stack = (lines) =>
    table(lines).map(([time, ...columns]) => [time, ...columns.map((column) => column[1])]);

  const draw = (holder, labels, values, counted, stacked) => {
    const series = {};
    labels.forEach((label, i) => { series[label] = stroke(i); });
    key(holder, labels);
    const readout = holder.parentElement.querySelector('.readout');
    const chart = new Dygraph(holder.firstElementChild, stacked ? stack(values) : table(values), {
      labels: ['time', ...labels],
      customBars: !stacked, stackedGraph: stacked, series,
      xlabel: 'microseconds', includeZero: true,
      interactionModel: Dygraph.defaultInteractionModel,  // the range selector makes dragging pan
      showRangeSelector: true, rangeSelectorHeight: 26, legend: 'never', labelsKMB: false,
      dateWindow: shown.window, animatedZooms: false,
      axes: { y: { axisLabelFormatter: counted.axis, axisLabelWidth: 70 } },
      highlightCallback: (event, x, points) => {
        readout.textContent = time(x) + ': ' +
          points.map((point) => point.name + ' ' + counted.text(point.yval)).join(', ');
      },
      zoomCallback: (from, to) => zoom([from, to], chart),
      drawCallback: (drawn, first) => { if (!first) zoom(drawn.xAxisRange(), drawn); },
      ...looks()
    });
    return chart;
  };
  let zooming = false;
  const zoom = (range, source) => {
    if (zooming) return;
    zooming = true;
    const [start, end] = whole();
    const width = Math.max(frame.bucket_ps / 1e6 * 4, Math.min(end - start, range[1] - range[0]));
    const from = Math.max(start, Math.min(end - width, range[0]));
    shown.window = [from, from + width];
    for (const chart of shown.charts)
      if (chart !== source) chart.updateOptions({ dateWindow: shown.window });
    for (const note of document.querySelectorAll('.window'))
      note.textContent = width < (end - start) * (1 - 1e-9)
        ? time(shown.window[0]) + ' to ' + time(shown.window[1]) : 'the whole run';
    zooming = false;
  };
  const scale = (factor) => {
    const [from, to] = shown.window || whole(), middle = (from + to) / 2;
    zoom([middle - (middle - from) * factor, middle + (to - middle) * factor], null);
  };
  const pan = (share) => {
    const [from, to] = shown.window || whole(), by = (to - from) * share;
    zoom([from + by, to + by], null);
  };
  const actions = {
    in: () => scale(0.5), out: () => scale(2), left: () => pan(-0.25), right: () => pan(0.25),
    all: () => zoom(whole(), null)
  };
  const keys = { '+': 'in', '=': 'in', '-': 'out', ArrowLeft: 'left', ArrowRight: 'right',
    Home: 'all', '0': 'all' };

  const find = (run, kind, node, name) => run.values.find((value) =>
    value.kind === kind && value.switch === node && value.name === name);
  const constant = (cells) => [{ points: [0, cells, 0, 0], at_start_cells: cells }, occupancy];
  const limit = (run, value) => [find(run, 'limit', value.switch, value.limit), run];
  const inOther = (value) => find(other, value.kind, value.switch, value.name);
  // Of each kind of chart: what there is to choose from, and the names and lines of a choice.
  const panels = {
    queue: ['queue', (value) => value.profile === undefined ? [['waiting q'], [[value, occupancy]]]
      : [['waiting q', 'K_min', 'K_max'],
        [[value, occupancy], constant(value.min_cells), constant(value.max_cells)]]],
    rate: ['rate', (value) => {
      const lines = rates.values.filter((line) => line.receiver === value.receiver);
      return [lines.map((line) => line.name), lines.map((line) => [line, rates])];
    }],
    pool: ['pool', (value) =>
      [['shared S', 'limit B'], [[value, occupancy], constant(value.limit_cells)]]],
    group: ['group', (value) => {
      const headroom = find(occupancy, 'headroom', value.switch, value.name);
      const labels = ['shared', 'threshold T'];
      const lines = [[value, occupancy], limit(occupancy, value)];
      return headroom ? [[...labels, 'headroom'], [...lines, [headroom, occupancy]]]
        : [labels, lines];
    }],
    band: ['band', (value) => {  // dygraphs stacks upwards from the last
      const bands = occupancy.values.filter((other) => other.kind === 'band' &&
        other.switch === value.switch && other.name === value.name).reverse();
      return [bands.map((band) => band.band), bands.map((band) => [band, occupancy])];
    }],
    both_pools: ['pool', (value) =>
      [['S of A', 'S of B'], [[value, occupancy], [inOther(value), other]]]],
    both_groups: ['group', (value) => [
      ['shared of A', 'shared of B', 'threshold T of A', 'threshold T of B'],
      [[value, occupancy], [inOther(value), other], limit(occupancy, value),
        limit(other, inOther(value))]]]
  };
  // Bytes of a cell, by switch.
  const cells = {};
  for (const value of occupancy.values) if (value.cell_bytes) cells[value.switch] = value.cell_bytes;
  const units = document.querySelector('[data-unit]');
  if (units)
    units.addEventListener('change', () => {
      unit.bytes = units.checked;
      for (const chart of shown.charts) chart.updateOptions({});
    });
  for (const holder of document.querySelectorAll('.chart')) {
    const [kind, lines] = panels[holder.dataset.kind];
    // A chart has the rates of all connections to a host.
    const list = kind === 'rate' ? rates.values.filter((value, i) =>
      rates.values.findIndex((line) => line.receiver === value.receiver) === i)
      : occupancy.values.filter((value) => value.kind === kind &&
      (!holder.dataset.kind.startsWith('both') || inOther(value)) &&
      (kind !== 'band' || find(occupancy, kind, value.switch, value.name) === value));
    if (list.length === 0) {  // two runs of other networks
      holder.parentElement.textContent = 'The runs have none of the same name.';
      continue;
    }
    const select = holder.parentElement.querySelector('select');
    list.forEach((value, i) =>
      select.add(new Option(value.receiver || value.switch + ': ' + value.name, i)));
    let chart = null;
    const show = () => {
      if (chart) {
        shown.charts.splice(shown.charts.indexOf(chart), 1);
        chart.destroy();
      }
      const [labels, values] = lines(list[select.value]);
      const chosen = list[select.value];
      chart = draw(holder, labels, values,
        kind === 'rate' ? megabits : sizes(cells[chosen.switch]), kind === 'band');
      shown.charts.push(chart);
    };
    select.addEventListener('change', show);
    holder.addEventListener('keydown', (event) => {
      const action = actions[keys[event.key]];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
    show();
  }
  for (const button of document.querySelectorAll('[data-zoom]'))
    button.addEventListener('click', actions[button.dataset.zoom]);
  const repaint = () => { for (const chart of shown.charts) chart.updateOptions(looks()); };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  matchMedia('print').addEventListener('change', repaint);
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    repaint();
  });

  // Sorting: numbers by their exact value, all else by text; equal rows keep their order.
  const sortKey = (row, column) => {
    const cell = row.cells[column];
    return 'v' in cell.dataset ? Number(cell.dataset.v) : cell.textContent;
  };
  for (const sorted of document.querySelectorAll('table.sorts')) {
    const heads = [...sorted.tHead.rows[0].cells];
    heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') !== 'descending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...sorted.tBodies[0].rows].map((row) => [sortKey(row, column), row]);
      rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
      sorted.tBodies[0].append(...rows.map(([, row]) => row));
    }));
  }
  window.weirReport = { zoom: () => shown.window || whole(), charts: () => shown.charts.length };
})();

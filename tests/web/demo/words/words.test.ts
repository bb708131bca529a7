// What the words page works out before it draws: the plane, the part of it that is seen, labels, offers.
import { describe, expect, it } from 'vitest';
import { percent } from '../../../../web/demo/words/accuracy-view.ts';
import { completionsOf } from '../../../../web/demo/words/completion.ts';
import { kindOf } from '../../../../web/demo/words/file-kind.ts';
import { fitting, moved, place, zoomed } from '../../../../web/demo/words/map/camera.ts';
import { type LabelledPoint, placeLabels } from '../../../../web/demo/words/map/label-layout.ts';
import {
  type Placed,
  pictureOf,
  sumPicture,
  wordsOf,
} from '../../../../web/demo/words/map/map-data.ts';
import { planeOf } from '../../../../web/demo/words/map/projection.ts';

const rows = (...vectors: number[][]): Float32Array[] =>
  vectors.map((vector) => Float32Array.from(vector));

describe('the plane', () => {
  it('finds the two directions of a tilted rectangle, the longer first', () => {
    // Corners of a rectangle of 8 by 2 whose sides run along (1, 1, 0)/√2 and (0, 0, 1).
    const half = 4 / Math.SQRT2;
    const { points, shown } = planeOf(
      rows([half, half, 1], [half, half, -1], [-half, -half, 1], [-half, -half, -1]),
    );
    expect(points.map(({ x }) => Math.abs(x))).toEqual([4, 4, 4, 4].map((x) => expect.closeTo(x)));
    expect(points.map(({ y }) => Math.abs(y))).toEqual([1, 1, 1, 1].map((y) => expect.closeTo(y)));
    expect(shown).toBeCloseTo(1);
  });

  it('says what part of the variance it leaves out', () => {
    // Variances 9, 4 and 1 along three axes.
    const { shown } = planeOf(
      rows([3, 0, 0], [-3, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 1], [0, 0, -1]),
    );
    expect(shown).toBeCloseTo(13 / 14);
  });

  it('keeps sums: the fourth corner of a parallelogram stays one', () => {
    const [a, b, c] = [
      [1, 5, -2, 0.5],
      [3, 1, 0, -1],
      [-2, 2, 4, 2],
    ] as const;
    const d = b.map((value, i) => value - (a[i] ?? 0) + (c[i] ?? 0));
    const { points } = planeOf(rows([...a], [...b], [...c], d));
    const [p, q, r, s] = points;
    expect((q?.x ?? 0) - (p?.x ?? 0)).toBeCloseTo((s?.x ?? 0) - (r?.x ?? 0));
    expect((q?.y ?? 0) - (p?.y ?? 0)).toBeCloseTo((s?.y ?? 0) - (r?.y ?? 0));
  });

  it('keeps distances of points that lie in one plane', () => {
    const flat = rows([0, 0, 7], [3, 0, 7], [3, 4, 7]);
    const { points } = planeOf(flat);
    const far = (i: number, j: number): number =>
      Math.hypot(
        (points[i]?.x ?? 0) - (points[j]?.x ?? 0),
        (points[i]?.y ?? 0) - (points[j]?.y ?? 0),
      );
    expect([far(0, 1), far(1, 2), far(0, 2)]).toEqual([3, 4, 5].map((x) => expect.closeTo(x, 5)));
  });

  it('puts two words on a line', () => {
    const { points, shown } = planeOf(rows([0.1, 0.7, -0.3], [0.9, -0.2, 0.4]));
    expect(points.map(({ y }) => y)).toEqual([0, 0]);
    expect((points[0]?.x ?? 0) + (points[1]?.x ?? 0)).toBeCloseTo(0);
    expect(shown).toBeCloseTo(1);
  });

  it('is fitted to some and shows the others from above', () => {
    const { points, shown } = planeOf(
      rows([2, 0, 0], [-2, 0, 0], [0, 1, 0], [0, -1, 0], [1, 0, 9]),
      4,
    );
    expect(Math.abs(points[4]?.x ?? 0)).toBeCloseTo(1);
    expect(points[4]?.y).toBeCloseTo(0);
    expect(shown).toBeCloseTo(11 / 92);
  });

  it.each([
    ['no word', rows()],
    ['one word', rows([1, 2])],
    ['the same word twice', rows([1, 2], [1, 2])],
  ])('puts %s into the middle', (_, vectors) => {
    const { points, shown } = planeOf(vectors);
    expect(points).toEqual(vectors.map(() => ({ x: 0, y: 0 })));
    expect(shown).toBe(1);
  });
});

describe('the camera', () => {
  const frame = { width: 640, height: 456 };
  const points = [
    { x: -1, y: -1 },
    { x: 1, y: 1 },
  ];

  it('shows all points with room for labels, y upwards', () => {
    const whole = fitting(points, frame);
    expect(points.map((point) => place(whole, point))).toEqual([
      { x: 120, y: 428 },
      { x: 520, y: 28 },
    ]);
  });

  it('keeps the pixel under the pointer where it is', () => {
    const whole = fitting(points, frame);
    const at = place(whole, { x: 0.5, y: 0.25 });
    expect(place(zoomed(whole, 2, at, whole), { x: 0.5, y: 0.25 })).toEqual(at);
  });

  it('never looks from farther than the whole, nor from nearer than sixteen times', () => {
    const whole = fitting(points, frame);
    const at = { x: 0, y: 0 };
    expect(zoomed(moved(whole, { x: 50, y: 0 }), 0.5, at, whole)).toEqual(whole);
    expect(zoomed(whole, 1000, at, whole).scale).toBe(whole.scale * 16);
  });

  it('shows a single point in the middle', () => {
    const whole = fitting([{ x: 5, y: 5 }], frame);
    expect(place(whole, { x: 5, y: 5 })).toEqual({ x: 320, y: 228 });
  });
});

describe('labels', () => {
  const frame = { width: 400, height: 300 };
  const at = (x: number, y: number): LabelledPoint => ({ x, y, label: { width: 60, height: 16 } });

  it('stand at the right of their points where they can', () => {
    expect(placeLabels([at(100, 100)], frame)).toEqual([{ x: 107, y: 92 }]);
  });

  it('turn to the left at the right edge', () => {
    expect(placeLabels([at(390, 100)], frame)).toEqual([{ x: 323, y: 92 }]);
  });

  it('never cover one another, a point, or the edge', () => {
    const points = Array.from({ length: 40 }, (_, i) => at((i * 97) % 400, (i * 61) % 300));
    const labels = placeLabels(points, frame);
    const boxes = labels.flatMap((label) =>
      label === null
        ? []
        : [{ left: label.x, top: label.y, right: label.x + 60, bottom: label.y + 16 }],
    );
    expect(boxes.length).toBeGreaterThan(5);
    boxes.forEach((a, i) => {
      expect(a.left).toBeGreaterThanOrEqual(0);
      expect(a.bottom).toBeLessThanOrEqual(300);
      for (const b of boxes.slice(i + 1)) {
        const apart =
          a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        expect(apart).toBe(true);
      }
      for (const { x, y } of points) {
        expect(x > a.left && x < a.right && y > a.top && y < a.bottom).toBe(false);
      }
    });
  });

  it('are left out where there is no room, the earlier ones first served', () => {
    const crowd = Array.from({ length: 30 }, () => at(200, 150));
    const served = placeLabels(crowd, frame).map((label) => label !== null);
    expect(served.slice(0, 2)).toEqual([true, true]);
    expect(served.filter(Boolean).length).toBeLessThanOrEqual(8);
  });

  it('keep off lines', () => {
    const from = at(100, 100);
    const to = { x: 300, y: 100 };
    const label = placeLabels([from], frame, [[from, to]])[0];
    expect(label).toEqual({ x: 33, y: 92 });
  });

  it('are left out with points that are out of the frame', () => {
    expect(placeLabels([at(200, 150), at(-20, 150)], frame)[1]).toBeNull();
  });
});

describe('pictures', () => {
  const word = (text: string, ...vector: number[]): Placed => ({
    text,
    role: 'asked',
    vector: Float32Array.from(vector),
  });

  it('draw a sum with an arrow from a to b and the same arrow from c', () => {
    const picture = sumPicture([word('man', 0, 0), word('king', 2, 0), word('woman', 0, 1)]);
    const sum = picture?.marks[3];
    expect(sum).toMatchObject({ text: 'king − man + woman', role: 'sum' });
    expect(picture?.arrows).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 3 },
    ]);
  });

  it('are told in words along both axes', () => {
    const picture = pictureOf([word('left', -3, 0.5), word('right', 3, 0.5), word('low', 0, -1)]);
    expect(Object.fromEntries(wordsOf(picture))).toMatchObject({
      Shown: expect.stringContaining('100 %'),
    });
    const [[, across] = ['', '']] = wordsOf(picture);
    expect([across, across.split(', ').reverse().join(', ')]).toContain('left, low, right');
  });
});

describe('small things', () => {
  it('completes with the first words of the file that begin so', () => {
    const words = [
      'the',
      'then',
      'winter',
      'there',
      ...Array.from({ length: 20 }, (_, i) => `the${i}`),
    ];
    expect(completionsOf('the', words).slice(0, 4)).toEqual(['the', 'then', 'there', 'the0']);
    expect(completionsOf('the', words)).toHaveLength(12);
    expect(completionsOf('', words)).toEqual([]);
  });

  it('tells questions from vectors by how they begin', async () => {
    expect(await kindOf(new Blob([': family\nman woman king queen\n']))).toBe('questions');
    expect(await kindOf(new Blob(['FiFu\0\0\0\0']))).toBe('finalfusion');
    expect(await kindOf(new Blob(['the 0.1 0.2\n']))).toBe('other');
    expect(await kindOf(new Blob([': 0.1 0.2\n, 0.3 0.4\n']))).toBe('other');
    expect(await kindOf(new Blob([]))).toBe('other');
  });

  it('gives no share of nothing', () => {
    const counts = { correct: 3, count: 8, skipped: 1, averageCosine: 0.5 };
    expect(percent(counts)).toBe('37.5 %');
    expect(percent({ ...counts, correct: 0, count: 0 })).toBe('none asked');
  });
});

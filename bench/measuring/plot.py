"""Series as curves with logarithmic axes, one panel beside the other, in one SVG without scripts or fonts of its own."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 380, 300                                   # of a panel
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 34, 46                  # margins around its axes
LINE_HEIGHT = 15                                           # of the legend, below the axes
COLOURS = ('#0072b2', '#d55e00', '#009e73', '#cc79a7', '#000')  # distinct for the colour-blind too (Okabe and Ito)
SHAPES = ('circle', 'square', 'diamond', 'triangle', 'cross')


def decades(values):
    """Powers of ten around the values."""
    lowest = math.floor(math.log10(min(values)))
    return lowest, max(math.ceil(math.log10(max(values))), lowest + 1)


def label(value):
    power = round(math.log10(value))
    if 1e-3 <= value < 1e4 or value != 10 ** power:
        return f'{value:g}'
    return f'10<tspan dy="-5" font-size="8">{power}</tspan>'


class Axes:
    """Maps values to points of a panel. The x axis has marks at the measured sizes."""

    def __init__(self, left, top, xs, ys):
        self.left, self.top = left + LEFT, top + TOP
        self.right, self.bottom = left + WIDTH - RIGHT, top + HEIGHT - BOTTOM
        self.xs, self.y_powers = sorted(set(xs)), decades(ys)
        self.x_powers = math.log10(self.xs[0]), math.log10(max(self.xs[-1], 2 * self.xs[0]))

    @staticmethod
    def part(value, powers):
        return (math.log10(value) - powers[0]) / (powers[1] - powers[0])

    def x(self, value):
        return self.left + self.part(value, self.x_powers) * (self.right - self.left)

    def y(self, value):
        return self.bottom - self.part(value, self.y_powers) * (self.bottom - self.top)

    def draw(self, title, x_name):
        yield f'<text x="{self.left}" y="{self.top - 12}" font-weight="bold">{escape(title)}</text>'
        for value in self.xs:
            x = self.x(value)
            yield f'<path class="grid" d="M{x:.1f} {self.top}V{self.bottom}"/>'
            yield f'<text x="{x:.1f}" y="{self.bottom + 16}" text-anchor="middle">{label(value)}</text>'
        for power in range(self.y_powers[0], self.y_powers[1] + 1):
            y = self.y(10 ** power)
            yield f'<path class="grid" d="M{self.left} {y:.1f}H{self.right}"/>'
            yield f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{label(10.0 ** power)}</text>'
        yield from self.draw_slope()
        middle = (self.left + self.right) / 2
        yield f'<text x="{middle:.0f}" y="{self.bottom + 34}" text-anchor="middle">{escape(x_name)}</text>'

    def draw_slope(self):
        """A line of slope 1, for comparison: linear growth is parallel to it."""
        decades_there = min(self.x_powers[1] - self.x_powers[0], self.y_powers[1] - self.y_powers[0])
        x, y = (self.x(10 ** (self.x_powers[0] + decades_there)), self.y(10 ** (self.y_powers[0] + decades_there)))
        yield f'<path class="slope" d="M{self.left} {self.bottom}L{x:.1f} {y:.1f}"/>'


def mark(shape, x, y, colour):
    if shape == 'circle':
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'
    corners = {'square': 'm-3 -3h6v6h-6z', 'diamond': 'm-4 0l4 -4l4 4l-4 4z', 'triangle': 'm-4 3l4 -7l4 7z',
               'cross': 'm-4 -1h3v-3h2v3h3v2h-3v3h-2v-3h-3z'}[shape]
    return f'<path d="M{x:.1f} {y:.1f}{corners}" fill="{colour}"/>'


def panel(left, top, title, x_name, curves):
    """curves: [(name, [(x, y), ...])], at least one point in all."""
    points = [point for _, curve in curves for point in curve]
    axes = Axes(left, top, [x for x, _ in points], [y for _, y in points])
    yield from axes.draw(title, x_name)
    for i, (name, curve) in enumerate(curves):
        colour, shape = COLOURS[i % len(COLOURS)], SHAPES[i % len(SHAPES)]
        path = 'L'.join(f'{axes.x(x):.1f} {axes.y(y):.1f}' for x, y in curve)
        yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        yield from (mark(shape, axes.x(x), axes.y(y), colour) for x, y in curve)
        y = top + HEIGHT + LINE_HEIGHT * i
        yield mark(shape, left + LEFT + 4, y - 4, colour)
        yield f'<text x="{left + LEFT + 14}" y="{y}">{escape(name)}</text>'


def drawing(panels, title, columns=2):
    """panels: [(title, name of x, curves)]; those without points are left out."""
    panels = [(name, x_name, [(what, [p for p in curve if p[1] > 0]) for what, curve in curves])
              for name, x_name, curves in panels]
    panels = [(name, x_name, [c for c in curves if c[1]]) for name, x_name, curves in panels]
    panels = [p for p in panels if p[2]]
    height = HEIGHT + LINE_HEIGHT * max((len(curves) for _, _, curves in panels), default=0) + 10
    width, whole = columns * WIDTH, -(-len(panels) // columns) * height + 24
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}" font-family="sans-serif" font-size="11" '
             f'fill="#222" role="img"><title>{escape(title)}</title>',
             '<style>.grid{stroke:#ddd}.slope{stroke:#999;stroke-dasharray:3 3}</style>',
             f'<rect width="{width}" height="{whole}" fill="#fff"/>',
             f'<text x="{LEFT}" y="18" font-size="13">{escape(title)}; dashed: slope 1</text>']
    for i, (name, x_name, curves) in enumerate(panels):
        lines.extend(panel(i % columns * WIDTH, 24 + i // columns * height, name, x_name, curves))
    return '\n'.join(lines) + '\n</svg>\n'

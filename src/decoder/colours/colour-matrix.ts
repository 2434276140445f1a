export type Triple = readonly [number, number, number];

/** A matrix as its three rows. */
export type Matrix = readonly [Triple, Triple, Triple];

export function multiply(a: Matrix, b: Matrix): Matrix {
  const columns = transpose(b).map((column) => apply(a, column));
  return transpose(columns as unknown as Matrix);
}

export function apply(matrix: Matrix, [x, y, z]: Triple): Triple {
  const row = ([a, b, c]: Triple): number => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

export function transpose([a, b, c]: Matrix): Matrix {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
}

/** `undefined` if the rows depend on each other. */
export function invert(matrix: Matrix): Matrix | undefined {
  const [a, b, c] = transpose(matrix);
  const determinant = dot(a, cross(b, c));
  if (Math.abs(determinant) < 1e-9) return undefined;
  const scale = (row: Triple): Triple => [row[0] / determinant, row[1] / determinant, row[2] / determinant];
  return [scale(cross(b, c)), scale(cross(c, a)), scale(cross(a, b))];
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross([ax, ay, az]: Triple, [bx, by, bz]: Triple): Triple {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

export function diagonal([x, y, z]: Triple): Matrix {
  return [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ];
}

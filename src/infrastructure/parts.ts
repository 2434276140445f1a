import type { ServiceIdentifier } from 'inversify';

type Identifiers = Readonly<Record<string, ServiceIdentifier>>;

type PartOf<Identifier> = [Identifier] extends [ServiceIdentifier<infer Part>] ? Part : never;

/** The objects that the container makes, each under the name that its identifier has in the table. */
export type Parts<Table extends Identifiers> = { readonly [Name in keyof Table]: PartOf<Table[Name]> };

interface PartSource {
  get(identifier: ServiceIdentifier): unknown;
}

/** Each part is made when it is first read. */
export function partsOf<Table extends Identifiers>(source: PartSource, table: Table): Parts<Table> {
  const properties = Object.entries(table).map(([name, identifier]) => [
    name,
    { enumerable: true, get: (): unknown => source.get(identifier) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Parts<Table>;
}

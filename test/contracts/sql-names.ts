import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../src/adapters/sql/changes/sql-change-feed.ts';
import type { RowReader } from '../../src/adapters/sql/database/sql-fragment.ts';
import { SqlNames } from '../../src/adapters/sql/names/sql-names.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlSpaces } from '../../src/adapters/sql/records/sql-spaces.ts';
import { NO_LIMITS } from '../../src/domain/space/space.ts';
import { databaseOn } from '../support/fixtures/database-on.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import type { NamesUnderTest } from './names.contract.ts';

/** The ports of the contract on one database, which two processes have opened. */
export function sqlNames(knex: Knex, other: Knex, reads?: RowReader): Omit<NamesUnderTest, 'tearDown'> {
  const clock = new ManualClock();
  return {
    names: new SqlNames(databaseOn(knex, { preparedReads: reads }), clock),
    spaces: new SqlSpaces(databaseOn(knex), NO_LIMITS),
    changes: new SqlChangeFeed(databaseOn(knex)),
    processes: [
      new ObjectionImageRepository(databaseOn(knex), clock),
      new ObjectionImageRepository(databaseOn(other), clock),
    ],
    clock,
    mispoint: async (name, imageId) => {
      await knex('names').where({ name }).update({ image_id: imageId });
    },
    plant: async (imageId, count) => await plantNames(knex, imageId, count),
  };
}

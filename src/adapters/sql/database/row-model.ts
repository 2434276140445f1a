import { Model, type Pojo } from 'objection';

/** The base of models. The compiler checks rows: Objection's own check makes two validators of ajv for each model. */
export abstract class RowModel extends Model {
  override $validate(json: Pojo = this): Pojo {
    return json;
  }
}

import { Model, Validator, type ValidatorArgs } from 'objection';

/** The compiler checks rows. Objection's own validator makes two of ajv for each model at its first insert. */
class NoValidator extends Validator {
  override validate({ json }: ValidatorArgs): ValidatorArgs['json'] {
    return json;
  }
}

/** The base of models. */
export abstract class RowModel extends Model {
  static override createValidator(): Validator {
    return new NoValidator();
  }
}

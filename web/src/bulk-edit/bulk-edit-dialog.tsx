import { FormDialog } from '../dialogs/form-dialog.tsx';
import { editsTexts } from '../edits/edits-texts.ts';
import { MOST_UNDONE } from '../edits/most-undone.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { selectionTexts } from '../selection/selection-texts.ts';
import { Waiting } from '../states/waiting.tsx';
import { bulkEditTexts } from './bulk-edit-texts.ts';
import { ClockFields } from './clock-fields.tsx';
import { FIRST_CLOCK_ERROR } from './edit-form.ts';
import { type BulkEditState, useBulkEdit } from './use-bulk-edit.ts';

/** Changes title, description and time of all selected pictures. */
export function BulkEditDialog({ onClose }: { readonly onClose: () => void }): React.JSX.Element {
  const edit = useBulkEdit(onClose);
  const { form, change, ids, done, asked } = edit;
  const { title, apply, remove, asks } = bulkEditTexts();
  const submit = asked.length > 0 ? remove : apply;
  return (
    <FormDialog
      title={title(ids.length)}
      submit={done === undefined ? submit(ids.length) : selectionTexts().progress(done, ids.length)}
      close={commonTexts().cancel}
      isDisabled={!edit.canApply}
      isRunning={done !== undefined}
      onSubmit={edit.apply}
      onClose={onClose}
    >
      <Text edit={edit} field="title" label={commonTexts().title} choice={bulkEditTexts().changeTitle} />
      <Text
        edit={edit}
        field="description"
        label={commonTexts().description}
        choice={bulkEditTexts().changeDescription}
      />
      <Choice
        label={bulkEditTexts().changeTime}
        isChosen={form.clock !== undefined}
        onChoose={(isChosen) => change({ clock: isChosen ? FIRST_CLOCK_ERROR : undefined })}
      />
      {form.clock !== undefined && (
        <ClockFields
          clock={form.clock}
          records={edit.records}
          count={ids.length}
          onChange={(clock) => change({ clock })}
        />
      )}
      {ids.length > MOST_UNDONE && <p className="form-hint">{editsTexts().tooMany(MOST_UNDONE)}</p>}
      <div role="alert">
        {asked.map((field) => (
          <p key={field} className="form-problem">
            {asks[field](ids.length)}
          </p>
        ))}
      </div>
      {done !== undefined && <Waiting back={onClose} />}
    </FormDialog>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

function Choice({ label, isChosen, onChoose }: ChoiceProps): React.JSX.Element {
  return (
    <label className="form-choice">
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
      {label}
    </label>
  );
}

interface TextProps {
  readonly edit: BulkEditState;
  readonly field: 'title' | 'description';
  readonly label: string;
  readonly choice: string;
}

const MOST_CHARACTERS = { title: 200, description: 5000 } as const;

function Text({ edit, field, label, choice }: TextProps): React.JSX.Element {
  const text = edit.form[field];
  const shared = {
    className: 'form-input',
    'aria-label': label,
    placeholder: bulkEditTexts().empty,
    maxLength: MOST_CHARACTERS[field],
  };
  return (
    <>
      <Choice
        label={choice}
        isChosen={text !== undefined}
        onChoose={(isChosen) => edit.change({ [field]: isChosen ? '' : undefined })}
      />
      {text !== undefined && (
        <div className="form-label">
          {field === 'title' ? (
            <input {...shared} value={text} onChange={({ target }) => edit.change({ title: target.value })} />
          ) : (
            <textarea
              {...shared}
              rows={3}
              value={text}
              onChange={({ target }) => edit.change({ description: target.value })}
            />
          )}
        </div>
      )}
    </>
  );
}

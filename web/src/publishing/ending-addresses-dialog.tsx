import { useStore } from '../base/use-store.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { useConfig } from '../session/use-config.ts';
import type { DeletionQuestion } from './ending-addresses.ts';
import { MOST_PUBLISHED } from './published-names.ts';
import { publishingTexts } from './publishing-texts.ts';
import { useEndingAddresses } from './use-ending-addresses.ts';

/** Enough to recognize them. */
const SHOWN = 5;

/** Says how many public addresses end before pictures are deleted. */
export function EndingAddressesDialog(): React.JSX.Element | null {
  const endings = useEndingAddresses();
  const question = useStore(endings.question);
  if (question === undefined) return null;
  return (
    <FormDialog
      title={publishingTexts().deleteTitle(question.ids.length)}
      submit={publishingTexts().delete}
      close={commonTexts().cancel}
      isDisabled={question.names === undefined}
      onSubmit={() => void endings.agree()}
      onClose={() => endings.cancel()}
    >
      <output className="form-hint">
        <Ending {...question} />
      </output>
    </FormDialog>
  );
}

function Ending({ names, certainty }: DeletionQuestion): React.JSX.Element {
  const { trashDays } = useConfig();
  const { atLeast, checking, end, notRestored, others, unreadable } = publishingTexts();
  if (names === undefined) return <p>{checking}</p>;
  if (certainty === 'none') return <p>{unreadable}</p>;
  return (
    <>
      <p>{certainty === 'all' ? end(names.length) : atLeast(names.length, MOST_PUBLISHED)}</p>
      {names.length > 0 && (
        <ul className="publishing-ending">
          {names.slice(0, SHOWN).map((name) => (
            <li key={name}>{name}</li>
          ))}
          {names.length > SHOWN && <li>{others(names.length - SHOWN)}</li>}
        </ul>
      )}
      {trashDays > 0 && <p>{notRestored}</p>}
    </>
  );
}

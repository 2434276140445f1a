import type { NamedImage } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { imageQuery } from '../catalog/image-query.ts';
import { nameOf } from '../catalog/picture-name.ts';
import { Thumbnail } from '../catalog/thumbnail.tsx';
import { useCatalog } from '../catalog/use-catalog.ts';
import { Button } from '../controls/button.tsx';
import { FieldError } from '../controls/field-error.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { PublicSwitch } from '../publishing/public-switch.tsx';
import { publishingTexts } from '../publishing/publishing-texts.ts';
import { useRights } from '../session/use-rights.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import type { NameActions } from './name-actions.ts';
import { namesTexts } from './names-texts.ts';
import { useNaming } from './use-naming.ts';

interface NameFormProps {
  readonly actions: NameActions;
  readonly onClose: () => void;
}

/** Gives the picture a name, and asks before it takes one away from another picture. */
export function NameForm({ actions, onClose }: NameFormProps): React.JSX.Element {
  const id = useId();
  const rights = useRights();
  const naming = useNaming(actions, onClose);
  const { text, edit, isIllFormed, taken, isRunning, give, move } = naming;
  const isPublicElsewhere = taken !== undefined && taken.url !== null;
  const mayMove = rights.publish || !isPublicElsewhere;
  useShortcut('Escape', onClose, { within: 'any', typing: true });
  return (
    <form
      className="panel-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Not by a second press of Enter.
        if (taken === undefined) give();
      }}
    >
      <label className="panel-label">
        {namesTexts().label}
        <input
          ref={focusFirst}
          className="panel-input"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={namesTexts().placeholder}
          value={text}
          aria-invalid={isIllFormed}
          aria-describedby={isIllFormed ? id : undefined}
          onChange={({ target }) => edit(target.value)}
        />
      </label>
      <FieldError id={id} text={isIllFormed ? namesTexts().illFormed : undefined} />
      {rights.publish && (
        <PublicSwitch
          isPublic={isPublicElsewhere || naming.isPublic}
          isDisabled={isPublicElsewhere}
          onChange={naming.choosePublic}
        />
      )}
      {taken !== undefined && <Taken named={taken} mayMove={mayMove} />}
      <div className="panel-buttons">
        {taken === undefined && (
          <button type="submit" className="button" data-kind="primary" disabled={isRunning}>
            {namesTexts().give}
          </button>
        )}
        {taken !== undefined && mayMove && (
          <Button data-kind="primary" disabled={isRunning} onClick={move}>
            {namesTexts().move}
          </Button>
        )}
        <Button onClick={onClose}>{commonTexts().cancel}</Button>
      </div>
    </form>
  );
}

interface TakenProps {
  readonly named: NamedImage;
  /** A public name stays where it is if the person may not publish. */
  readonly mayMove: boolean;
}

/** Where the name points to now. */
function Taken({ named, mayMove }: TakenProps): React.JSX.Element {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const { data } = useQuery(imageQuery(useCatalog(), named.id));
  return (
    <div ref={setBox} className="names-taken" role="alert">
      {data !== undefined && <Thumbnail record={data} className="panel-thumbnail" sizes="96px" layer={box} />}
      <p>
        {mayMove
          ? namesTexts().taken(named.name, data && nameOf(data))
          : namesTexts().fixed(named.name, data && nameOf(data))}
        {mayMove && named.url !== null && ` ${publishingTexts().moves(named.name)}`}
      </p>
    </div>
  );
}

function focusFirst(field: HTMLInputElement | null): void {
  field?.focus();
}

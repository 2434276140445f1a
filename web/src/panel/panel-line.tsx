import { Icon, type IconName } from '../controls/icon.tsx';

interface PanelLineProps {
  readonly icon: IconName;
  /** What the icon stands for, to screen readers. */
  readonly label: string;
  readonly children: React.ReactNode;
}

/** A fact behind its icon. */
export function PanelLine({ icon, label, children }: PanelLineProps): React.JSX.Element {
  return (
    <div className="panel-line">
      <Icon name={icon} />
      <div className="panel-line-content">
        <h3 className="visually-hidden">{label}</h3>
        {children}
      </div>
    </div>
  );
}

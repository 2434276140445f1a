import { sharedValue } from '../base/shared-value.ts';
import type { ArchiveDownload } from './archive-download.ts';

export const useArchive = sharedValue<ArchiveDownload>();

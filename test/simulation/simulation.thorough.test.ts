import { WHOLE } from '../support/sample.ts';
import { keepsItsContractInSchedules } from './schedules.ts';

keepsItsContractInSchedules(WHOLE);

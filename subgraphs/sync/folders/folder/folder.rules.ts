import { checkText } from '../../inputs/text.rules.js';

/** Bytes of a label and of a device's name at most: what file systems allow for a path and, about, for a name. */
const MAX_LABEL_BYTES = 4096;

const MAX_DEVICE_NAME_BYTES = 256;

/** Refuses a label that cannot be kept; an empty one can. @throws BAD_REQUEST */
export function checkLabel(label: string): void {
  checkText('label', label, MAX_LABEL_BYTES);
}

/** Refuses a device's name that cannot be kept. @throws BAD_REQUEST */
export function checkDeviceName(deviceName: string): void {
  checkText('device_name', deviceName, MAX_DEVICE_NAME_BYTES);
}

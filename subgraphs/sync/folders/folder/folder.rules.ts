import { checkByteLength } from '../../inputs/text.rules.js';

/** Maximum registered folders of an owner: their list has no pages. */
export const MAX_FOLDERS = 10_000;

/** Maximum bytes of a label and of a device name, similar to paths and names of file systems. */
const MAX_LABEL_BYTES = 4096;

const MAX_DEVICE_NAME_BYTES = 256;

/** Checks a label; it may be empty. @throws BAD_REQUEST */
export function checkLabel(label: string): void {
  checkByteLength('label', label, MAX_LABEL_BYTES);
}

/** Checks a device name. @throws BAD_REQUEST */
export function checkDeviceName(deviceName: string): void {
  checkByteLength('device_name', deviceName, MAX_DEVICE_NAME_BYTES);
}

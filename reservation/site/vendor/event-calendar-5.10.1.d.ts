// What the site uses of EventCalendar. A `Date` has the wall time of the calendar as its local time.
export type Entry = {
  id: string;
  start: Date;
  end: Date;
  display: string;
  resourceIds: string[];
  extendedProps: { [name: string]: any };
};
export type Resource = { id: string };
export type Moved = {
  event: Entry;
  oldEvent: Entry;
  newResource?: Resource;
  revert: () => void;
};
export type Selected = { start: Date; end: Date; resource?: Resource };
export type Clicked = { date: Date; resource?: Resource };
export type EventCalendar = {
  setOption(name: string, value: unknown): EventCalendar;
};
declare global {
  var EventCalendar: {
    create(place: Element, options: { [name: string]: unknown }): EventCalendar;
    destroy(calendar: EventCalendar): void;
  };
}

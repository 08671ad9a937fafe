// Shows times in the reader's language and time zone.
const said = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

export function sayTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.textContent = said.format(new Date(time.dateTime));
  }
}
sayTimes();

import Foundation

extension Console {
  /// Waits for some time, or until the reader of standard output closes the pipe. (`poll`)
  ///
  /// A command that writes rarely would otherwise run until its next output, although no process
  /// reads it any more.
  ///
  /// - Throws: ``BrokenPipe`` if no process reads standard output.
  static func wait(for seconds: TimeInterval) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    // The system reports both conditions even if no event is requested.
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    let count = poll(&output, 1, Int32((seconds * 1_000).rounded(.up)))
    if count > 0, output.revents & Int16(POLLERR | POLLHUP) != 0 { throw BrokenPipe() }
    // A signal ends the call early, and some systems cannot poll a device.
    Thread.sleep(until: end)
  }
}

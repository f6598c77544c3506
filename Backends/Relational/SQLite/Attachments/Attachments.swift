import Synchronization

/// The list of the databases that are attached now, from which each new connection attaches them.
final class Attachments: Sendable {
  private let list: Mutex<[Attachment]>

  init(_ list: [Attachment]) { self.list = Mutex(list) }

  var all: [Attachment] {
    get { list.withLock { $0 } }
    set { list.withLock { $0 = newValue } }
  }

  /// Returns the same options with the databases that are attached now.
  func added(to options: DatabaseOptions) -> DatabaseOptions {
    var options = options
    options.attachments = all
    return options
  }
}

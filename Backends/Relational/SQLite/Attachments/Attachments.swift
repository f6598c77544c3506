import Synchronization

/// What is attached to a database at present, so that every connection that is opened attaches it.
final class Attachments: Sendable {
  private let list: Mutex<[Attachment]>

  init(_ list: [Attachment]) { self.list = Mutex(list) }

  var all: [Attachment] {
    get { list.withLock { $0 } }
    set { list.withLock { $0 = newValue } }
  }

  /// Returns the same options with what is attached now.
  func added(to options: DatabaseOptions) -> DatabaseOptions {
    var options = options
    options.attachments = all
    return options
  }
}

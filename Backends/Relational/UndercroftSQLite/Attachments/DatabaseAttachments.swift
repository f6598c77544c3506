import Synchronization

/// The list of the databases that are attached now.
///
/// Each new connection attaches the databases in this list.
final class DatabaseAttachments: Sendable {
  private let list: Mutex<[Database.Attachment]>

  init(_ list: [Database.Attachment]) { self.list = Mutex(list) }

  var all: [Database.Attachment] {
    get { list.withLock { $0 } }
    set { list.withLock { $0 = newValue } }
  }

  /// Returns a copy of `options` whose attachments are the databases that are attached now.
  func added(to options: DatabaseOptions) -> DatabaseOptions {
    var options = options
    options.attachments = all
    return options
  }
}

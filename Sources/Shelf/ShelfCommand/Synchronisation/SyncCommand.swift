import ArgumentParser
import Foundation
import ShelfCatalogue

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Synchronises the notes and saved searches of a home.",
    discussion: """
      Without --with, the home is synchronised with the server to which shelf connect has connected \
      it. With --with, two homes on this computer are synchronised. Their server is in the folder \
      sync-server of the home that is synchronised first, and both homes store the path of this \
      folder.
      """)

  @OptionGroup var home: ShelfHome
  @Option(help: "The other home.", completion: .directory) var with: String?
  @Option(help: "The folder of the server of two homes.", completion: .directory)
  var server: String?
  @Flag(help: "Synchronise whenever the home or the server has changes, until Ctrl-C.")
  var watch = false
  @Flag(help: "Show the server and the number of changes that were not sent.") var status = false
  @Flag(
    help: """
      End the synchronisation of this home; its notes and searches remain. If the home is \
      synchronised again, notes that both homes have exist twice.
      """) var stop = false

  func validate() throws {
    let modes = [
      with == nil ? nil : "--with", watch ? "--watch" : nil, status ? "--status" : nil,
      stop ? "--stop" : nil,
    ].compactMap { $0 }
    if modes.count > 1 {
      throw ValidationError("\(modes[0]) cannot be combined with \(modes[1]). Omit one of them.")
    }
    if server != nil, with == nil {
      throw ValidationError("--server needs --with. Pass --with OTHER-HOME, or omit --server.")
    }
  }

  func run() async throws {
    try await Outcome.run {
      try home.requireCatalogue()
      try await Outcome.interruptibly { try await perform() }
    }
  }

  private func perform() async throws {
    let catalogue = try home.catalogue()
    if let with { return try await synchronise(catalogue, with: with) }
    if status { return try SyncReport.show(try catalogue.syncState()) }
    if stop {
      try await catalogue.stopSynchronising()
      return try Outcome.print("the synchronisation has ended")
    }
    if watch { return try await SyncReport.watch(catalogue, home) }
    try await SyncReport.synchronise(catalogue, home)
  }

  private func synchronise(_ catalogue: Catalogue, with path: String) async throws {
    var other = home
    other.home = path
    try other.requireCatalogue()
    let paths = (try home.path(), try other.path())
    try Self.requireDifferentHomes(paths.0, paths.1)
    let exchanges = try await catalogue.synchronise(
      with: try other.catalogue(), server: server.map { URL(filePath: $0) },
      standard: URL(filePath: paths.0).appending(path: "sync-server"))
    for (path, exchange) in zip([paths.0, paths.1], exchanges) {
      try SyncReport.show(exchange, of: path)
    }
  }

  /// Throws if two paths lead to the same folder, such as through a symbolic link.
  private static func requireDifferentHomes(_ path: String, _ other: String) throws {
    var (own, others) = (stat(), stat())
    guard stat(path, &own) == 0, stat(other, &others) == 0, own.st_ino == others.st_ino,
      own.st_dev == others.st_dev
    else { return }
    throw NotFound(
      """
      cannot synchronise the home \(path.debugDescription) with itself: \(other.debugDescription) \
      is the same home; name another home with --with
      """)
  }
}

import Foundation
import UndercroftFileSystem

/// Another process that has a file open.
struct FileOpener: Equatable {
  let process: Int
  /// The name of the program, or `nil` if it is unknown.
  let program: String?

  /// Returns the processes that have one of `files` open, except this process.
  ///
  /// The system shows the open files of processes of the same user; the superuser sees all of them.
  /// (`/proc/<process>/fd`) The result is empty on systems without this folder.
  static func all(of files: [StoreFile]) -> [FileOpener] {
    let wanted = Set(files.map(\.identity))
    let own = Int(getpid())
    return processes.filter { $0 != own && opens(wanted, $0) }
      .map { FileOpener(process: $0, program: program(of: $0)) }
  }

  private static var processes: [Int] { names(in: "/proc").compactMap { Int($0) }.sorted() }

  private static func opens(_ files: Set<FileIdentity>, _ process: Int) -> Bool {
    let folder = "/proc/\(process)/fd"
    // The links lead to the open files, even to those that were removed since.
    return names(in: folder).contains { name in
      StoreFile(folder + "/" + name).map { files.contains($0.identity) } ?? false
    }
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Returns the name of the program that a process runs, or `nil` if it is unknown.
  static func program(of process: Int) -> String? {
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    return name.map { $0.trimmingCharacters(in: .newlines) }
  }

  /// The process as a phrase, such as "shelf (4711)".
  var description: String { "\(program ?? "process") (\(process))" }
}

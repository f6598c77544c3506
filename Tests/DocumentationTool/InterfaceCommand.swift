import ArgumentParser
import Foundation

/// A command that compares the public interface of all modules with the baseline, or writes the
/// baseline.
struct InterfaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interface", abstract: "Compare the public interface with the baseline.",
    discussion: "Exit status: 0 compatible, 1 a change can break an application.")

  @Option(help: "The folder with a folder of symbol graphs for each module.")
  var graphs: String
  @Option(help: "The folder of the baseline, with a file for each module.")
  var baseline: String
  @Flag(help: "Write the baseline.")
  var write = false

  func run() throws {
    let files = FileManager.default
    let modules = try files.contentsOfDirectory(atPath: graphs).sorted()
    let folder = URL(filePath: baseline)
    let known = ((try? files.contentsOfDirectory(atPath: baseline)) ?? [])
      .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(".txt".count)) }
    var isBroken = false
    for module in Set(modules).union(known).sorted() {
      let file = folder.appending(path: "\(module).txt")
      let current = modules.contains(module) ? try interface(of: module) : nil
      if write {
        if let current {
          try files.createDirectory(at: folder, withIntermediateDirectories: true)
          try Data((current.lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        } else {
          try files.removeItem(at: file)
        }
        continue
      }
      let old = known.contains(module) ? try String(contentsOf: file, encoding: .utf8) : ""
      let changes = (current ?? PublicInterface(lines: [])).breakingChanges(
        since: PublicInterface(lines: old.split(separator: "\n").map(String.init)))
      for change in changes { print("\(module): \(change)") }
      if !changes.isEmpty { isBroken = true }
    }
    if isBroken {
      print(
        """
        These changes can break an application: restore the declarations, or run \
        "make api-baseline" to accept the changes.
        """)
      throw ExitCode(1)
    }
  }

  private func interface(of module: String) throws -> PublicInterface {
    let folder = URL(filePath: graphs).appending(path: module)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return PublicInterface(
      try names.filter { $0.hasSuffix(".symbols.json") }.map { name in
        try JSONDecoder().decode(
          SymbolGraph.self, from: Data(contentsOf: folder.appending(path: name)))
      })
  }
}

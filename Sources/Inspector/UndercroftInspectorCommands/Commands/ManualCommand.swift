import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFileSystem

/// A command that shows the manual page of a command.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man",
    abstract: "Shows the manual page of a command, or of the tool.",
    usage: "undercroft man [<options>] [<command> ...]",
    discussion: """
      The program man shows the page, or mandoc if man is not installed. Man finds the pages of a \
      user in ~/.local/share/man/man1, into which --output-directory can write them.
      """)

  @Argument(help: "The command, or none for the page of the tool.", completion: .commands)
  var command: [String] = []
  @Flag(help: "Write the source of the page in the language mdoc.") var roff = false
  @Option(
    help: "Write the sources of all pages to files in this folder, which is created if missing.",
    completion: .directory)
  var outputDirectory: String?
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    if outputDirectory != nil, roff || !command.isEmpty {
      throw ValidationError(
        "--output-directory writes all pages. Omit the command and --roff.")
    }
  }

  func run() throws {
    // The program man shows the page with its own pager.
    try Output.run(isPaged: roff) {
      let pages = try ManualPage.all()
      if let outputDirectory {
        try Self.write(pages, to: outputDirectory)
        return []
      }
      guard let page = pages.first(where: { $0.words.dropFirst().elementsEqual(command) }) else {
        throw StorageError(
          .unavailable,
          """
          cannot show the page of \(quoted(command.joined(separator: " "))): there is no such \
          command
          """,
          suggestion: "run \"undercroft help\" for a list of the commands")
      }
      if roff { try Output.text(String(page.source.dropLast())) } else { try show(page) }
      return []
    }
  }

  private func show(_ page: ManualPage) throws {
    let input = try Self.file(with: page.source)
    defer { close(input) }
    let status: Int32
    do {
      status = try ProgramRun("man", ["-l", "-"], input: input).wait()
    } catch {
      do {
        status = try ProgramRun("mandoc", ["-a"], input: input).wait()
      } catch {
        throw StorageError(
          .unavailable,
          "cannot show the page of \(quoted(page.name)): neither man nor mandoc can be run",
          suggestion: "show the help with --help, or the source of the page with --roff")
      }
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// Returns a descriptor of a file without a name that contains a text. (`mkstemp`)
  private static func file(with text: String) throws -> Int32 {
    var path = Array((NSTemporaryDirectory() + "/undercroft-man.XXXXXX").utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else {
      throw StorageError(
        .io, "cannot create a file for the page: \(String(cString: strerror(errno)).lowercased())",
        suggestion: "check that the folder for temporary files exists and has free space")
    }
    unlink(path)
    do {
      try FileHandle(fileDescriptor: file, closeOnDealloc: false).write(
        contentsOf: Data(text.utf8))
    } catch {
      close(file)
      throw error
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static func write(_ pages: [ManualPage], to folder: String) throws {
    try createFolder(folder)
    for page in pages {
      let path = URL(filePath: folder).appending(path: page.name + ".1")
        .path(percentEncoded: false)
      do throws(StorageError) {
        let file = try Descriptor(opening: path, O_CREAT | O_TRUNC | O_WRONLY, mode: 0o666)
        try file.write(Data(page.source.utf8))
      } catch {
        let reason =
          (error.underlying as? SystemError)?.description.lowercased() ?? error.failure
        throw StorageError(
          .io, "cannot write \(quoted(path)): \(reason)",
          suggestion: "pass a folder that you can change", underlying: error)
      }
    }
  }

  /// Creates a folder if nothing exists at its path.
  private static func createFolder(_ path: String) throws {
    guard FileState(following: path) == nil else { return }
    guard mkdir(path, 0o755) != 0 else { return }
    throw StorageError(
      .io, "cannot create \(quoted(path)): \(String(cString: strerror(errno)).lowercased())",
      suggestion: "create the folder that contains it first, or pass another folder")
  }
}

/** The package `mneme/assistants`: memory for frameworks and tools of models, in their own shapes. */
export { type MemoryCommand, type MemoryTool, memoryTool } from './memory-tool.ts'

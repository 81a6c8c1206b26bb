/** The assistant (an OpenAI-compatible chat) that is asked about answers of the hostess. */
export { type Assistant, DeskAssistant } from './assistant.ts';
export { assistantFacts, assistantPlace } from './place.ts';
